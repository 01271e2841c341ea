/**
 * What contradicts itself whatever the order: answers that no register gives.
 *
 * The first is told, since a store that does so once does it all the time, and one kind brings others with it.
 */

import type { RegisterCall, RegisterHistory, RegisterStory } from "./register.js";
import { nameOf, storyOf } from "./register-story.js";
import { isWrite, shownBy, type Versions } from "./register-versions.js";

type Fact = (call: RegisterCall, versions: Versions, history: RegisterHistory) => RegisterStory | undefined;

const facts: readonly Fact[] = [namedTwice, notNew, twoNonces, falseConflict, madeByNobody, overUnread];

export function factAgainst(history: RegisterHistory, versions: Versions): RegisterStory | undefined {
  for (const fact of facts) {
    for (const call of history.calls) {
      const story = fact(call, versions, history);
      if (story !== undefined) return story;
    }
  }
  return undefined;
}

function namedTwice(call: RegisterCall, versions: Versions): RegisterStory | undefined {
  if (call.answer?.kind !== "written") return undefined;
  const { version } = call.answer;
  const owner = versions.owners.get(version);
  if (owner === undefined || owner === call) return undefined;
  const message =
    `${nameOf(owner)} and ${nameOf(call)} were both told that ${version} is theirs: ` +
    "a version names one write for ever";
  return storyOf(message, owner, call);
}

function notNew(
  call: RegisterCall,
  _versions: Versions,
  { initial }: RegisterHistory,
): RegisterStory | undefined {
  if (!isWrite(call) || call.answer?.kind !== "written") return undefined;
  const { version } = call.answer;
  if (version !== call.call.expected && version !== initial) return undefined;
  const stood = version === initial ? "which stood at the start" : "the very version it replaced";
  return storyOf(`${nameOf(call)} was told ${version}, ${stood}: each write makes a new version`, call);
}

function twoNonces(call: RegisterCall, versions: Versions): RegisterStory | undefined {
  const shown = shownBy(call);
  if (shown?.version === undefined || shown.nonce === undefined) return undefined;
  const owner = versions.owners.get(shown.version);
  const sight = versions.sights.get(shown.version);
  const other = owner === undefined ? sight?.nonce : owner.call.nonce;
  const by = owner ?? sight?.by;
  if (by === undefined || other === undefined || other === shown.nonce) return undefined;
  const message =
    `${nameOf(call)} was shown ${shown.version} with the nonce ${shown.nonce}, but to ${nameOf(by)} ` +
    `it stood for ${other}: a version names one write for ever`;
  return storyOf(message, by, call);
}

function falseConflict(call: RegisterCall): RegisterStory | undefined {
  const { answer } = call;
  if (!isWrite(call) || answer?.kind !== "conflict" || answer.judged === true) return undefined;
  if (answer.version !== call.call.expected) return undefined;
  // What cannot be read is never replaced.
  if (answer.version !== undefined && answer.nonce === undefined) return undefined;
  const stood = answer.version ?? "no record";
  const message = `${nameOf(call)} was refused although ${stood} stood, as it expected: such a write is carried out`;
  return storyOf(message, call);
}

function madeByNobody(
  call: RegisterCall,
  versions: Versions,
  { calls }: RegisterHistory,
): RegisterStory | undefined {
  const shown = shownBy(call);
  if (shown?.version === undefined || versions.isGiven(shown.version)) return undefined;
  if (versions.makersOf(shown.version).length > 0) return undefined;
  const { version, nonce = "no nonce" } = shown;
  const told = calls.find((other) => isWrite(other) && other.call.nonce === shown.nonce);
  const why =
    told === undefined
      ? "no call wrote that"
      : `but ${nameOf(told)}, which carries that nonce, was told that it ${outcomeOf(told)}`;
  const message = `${nameOf(call)} was shown ${version} (${nonce}): ${why}`;
  return told === undefined ? storyOf(message, call) : storyOf(message, told, call);
}

function overUnread(call: RegisterCall, versions: Versions): RegisterStory | undefined {
  if (!isWrite(call) || call.answer?.kind !== "written") return undefined;
  const { expected } = call.call;
  const witness = versions.unreadBy(expected);
  if (expected === undefined || witness === undefined) return undefined;
  const message =
    `${nameOf(call)} replaced ${expected}, of which ${nameOf(witness)} was told that it cannot be read: ` +
    "such a record stays as it is";
  return storyOf(message, witness, call);
}

function outcomeOf({ answer }: RegisterCall): string {
  if (answer?.kind === "written") return `made ${answer.version}`;
  return answer?.kind === "conflict" ? "met a conflict" : "changed nothing";
}

/**
 * A form: one sentence with gaps, read and written by the same template, so that reading and writing cannot differ.
 *
 * `stop {who} for {forMs}` with what is fixed, `{ verb: "stop" }`, stands for all `{ verb, who, forMs }`.
 */

import { type Gap, gaps } from "./gap.js";

export type Values = Readonly<Record<string, unknown>>;

export interface Form {
  readonly template: string;
  /** What the sentence says beside its gaps. */
  readonly fixed: Values;
}

export interface Filled {
  readonly values: Values;
  readonly form: Form;
}

/** Where reading stopped: the place in the text, and what could have stood there. */
export interface Misread {
  readonly at: number;
  readonly expected: readonly string[];
}

type Part = { readonly literal: string } | { readonly name: string; readonly gap: Gap };

const partsOf = new Map<string, readonly Part[]>();

/** Reads the text as one of the forms, from `start` to its end. */
export function readForm(forms: readonly Form[], text: string, start: number): Filled | Misread {
  let at = start;
  let expected = new Set<string>();
  for (const form of forms) {
    const filled = fill(form, text, start);
    if ("values" in filled) return filled;
    if (filled.at > at) [at, expected] = [filled.at, new Set()];
    if (filled.at === at) for (const what of filled.expected) expected.add(what);
  }
  return { at, expected: [...expected] };
}

/** The sentence for what the values say; undefined when no form says exactly that. */
export function writeForm(forms: readonly Form[], values: Values): string | undefined {
  const said = Object.keys(values).filter((name) => values[name] !== undefined);
  const form = forms.find(({ template, fixed }) => {
    const names = new Set([...parts(template).flatMap(nameOf), ...Object.keys(fixed)]);
    const fits = Object.entries(fixed).every(([name, value]) => values[name] === value);
    return fits && said.length === names.size && said.every((name) => names.has(name));
  });
  return (
    form &&
    parts(form.template)
      .map((part) => written(part, values))
      .join("")
  );
}

function fill(form: Form, text: string, start: number): Filled | Misread {
  const values: Record<string, unknown> = { ...form.fixed };
  let at = start;
  for (const part of parts(form.template)) {
    if ("literal" in part) {
      const same = common(text.slice(at), part.literal);
      if (same < part.literal.length) {
        // Words are expected, not letters.
        const wordAt = part.literal.lastIndexOf(" ", same - 1) + 1;
        const word = part.literal.slice(wordAt).trim();
        return { at: at + wordAt, expected: [word === "" ? "one space" : `"${word}"`] };
      }
      at += same;
      continue;
    }
    const [found] = new RegExp(part.gap.pattern, "uy").exec(text.slice(at)) ?? [];
    const value = found === undefined ? undefined : part.gap.read(found);
    if (found === undefined || value === undefined) return { at, expected: [part.gap.what] };
    values[part.name] = value;
    at += found.length;
  }
  return at === text.length ? { values, form } : { at, expected: ["the end of the line"] };
}

function parts(template: string): readonly Part[] {
  const known = partsOf.get(template);
  if (known !== undefined) return known;
  const made = template.split(/(\{\w+\})/).flatMap((piece): readonly Part[] => {
    if (piece === "") return [];
    if (!piece.startsWith("{")) return [{ literal: piece }];
    const name = piece.slice(1, -1);
    const gap = gaps.get(name);
    if (gap === undefined) throw new Error(`no gap is named ${name}`);
    return [{ name, gap }];
  });
  partsOf.set(template, made);
  return made;
}

function nameOf(part: Part): readonly string[] {
  return "name" in part ? [part.name] : [];
}

function written(part: Part, values: Values): string {
  return "literal" in part ? part.literal : part.gap.write(values[part.name]);
}

function common(text: string, literal: string): number {
  let same = 0;
  while (same < literal.length && text[same] === literal[same]) same += 1;
  return same;
}

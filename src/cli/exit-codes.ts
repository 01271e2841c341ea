/** The exit codes of the command. They do not change their meaning; a command that `tenure run` ran adds its own. */

import { constants } from "node:os";
import { TenureError } from "../errors/index.js";

export const exitCodes = {
  done: 0,
  usage: 64,
  lost: 120,
  notAcquired: 121,
  storeUnreachable: 122,
  checkFailed: 123,
  failed: 125,
  notExecutable: 126,
  notFound: 127,
} as const;

export const exitCodeTable: readonly (readonly [code: string, meaning: string])[] = [
  ["0", "done"],
  ["64", "wrong usage or configuration"],
  ["120", "run --once: leadership was lost, the command was ended"],
  ["121", "run: not elected within --wait"],
  ["122", "the store, or the guard, cannot be reached, or refuses"],
  ["123", "a check failed, or what was asked for did not come about"],
  ["125", "tenure itself failed"],
  ["126", "run: the command cannot be executed"],
  ["127", "run: the command was not found"],
  ["128+n", "ended by signal n"],
];

export function signalCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** For people: an error of ours says all in its message, any other one shows where it came from. */
export function describeFailure(cause: unknown): string {
  if (TenureError.is(cause)) return cause.message;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

/** What a failure of an election or a store means for whoever started us. */
export function codeOfFailure(cause: unknown): number {
  if (!TenureError.is(cause)) return exitCodes.failed;
  if (cause.code === "INVALID_OPTION") return exitCodes.usage;
  return /^(STORE|GUARD)_/.test(cause.code) ? exitCodes.storeUnreachable : exitCodes.failed;
}

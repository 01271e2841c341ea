/** What a stream has to be so that it keeps what fences a subject, and what its settings take from the promise. */

import { createError } from "../../../errors/index.js";
import type { ResolvedJetstreamOptions } from "./options.js";

/** A setting of the stream that takes something from the promise. */
export interface JetstreamFinding {
  readonly code: "JETSTREAM_MAX_AGE" | "JETSTREAM_LIMITS";
  readonly message: string;
}

type Info = Readonly<Record<string, unknown>>;

export interface JudgedStream {
  /** One that is deleted and made again is another. */
  readonly identity: string;
  /** The stream keeps this subject and no other. */
  readonly isAlone: boolean;
  readonly findings: readonly JetstreamFinding[];
}

/** `info`: the answer to STREAM.INFO. @throws GUARD_UNSUITABLE that names the setting. */
export function judgeStream(
  info: Info,
  { stream, subject, resource }: ResolvedJetstreamOptions,
): JudgedStream {
  const config = (info["config"] ?? {}) as Info;
  const why = unsuitable(config);
  if (why !== undefined) throw createError("GUARD_UNSUITABLE", `stream "${stream}" of "${resource}" ${why}`);
  const { subjects } = config;
  const isAlone = Array.isArray(subjects) && subjects.length === 1 && subjects[0] === subject;
  const identity = `${stream}/${String(info["created"])}`;
  return { identity, isAlone, findings: findingsOf(config, isAlone) };
}

function unsuitable(config: Info): string | undefined {
  const { retention, storage, no_ack, sources, subject_transform } = config;
  if (retention !== "limits") return `has retention "${String(retention)}": what is consumed is removed`;
  if (storage !== "file")
    return `is kept in ${String(storage)}: after a restart it begins with sequence 1 again`;
  if (no_ack === true) return "acknowledges nothing (no_ack)";
  if (Array.isArray(sources) && sources.length > 0) return "takes messages of other streams (sources)";
  if (subject_transform !== undefined) return "stores subjects under other names (subject_transform)";
  return undefined;
}

function findingsOf(config: Info, isAlone: boolean): readonly JetstreamFinding[] {
  const findings: JetstreamFinding[] = [];
  const limited = (name: string) => Number(config[name] ?? 0) > 0;
  if (limited("max_age")) {
    const message =
      "the stream's max_age removes what fences the subject when nothing is published for so long; then any claim is the first";
    findings.push({ code: "JETSTREAM_MAX_AGE", message });
  }
  const { discard } = config;
  if (discard === "old" && !isAlone && (limited("max_msgs") || limited("max_bytes"))) {
    const message =
      "the stream has other subjects, and max_msgs or max_bytes removes the oldest message of all: it may be what fences this one; use max_msgs_per_subject, or discard new";
    findings.push({ code: "JETSTREAM_LIMITS", message });
  }
  return findings;
}

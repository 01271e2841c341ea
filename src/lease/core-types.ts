/**
 * The words between the pure core and its shell: inputs, effects, time. Types only.
 *
 * The shell performs effects in order and reports answers as inputs. Its duties:
 *
 * 1. Take `Now` from the clock for each step; never reuse one.
 * 2. Report every call exactly once in time: its answer, or `failed` after its
 *    timeout. A write's answer that comes after `failed` is reported too, late.
 * 3. Step with `tick` when `nextTick` is due, and before answering "may I act?".
 * 4. Perform sink effects synchronously, before control returns to other code.
 */

import type { Stand } from "../election/algorithm.js";
import type { HeldBy } from "../election/api.js";
import type { EndReason, LeaderView, WantedEnd } from "../election/events.js";
import type { LeaseRecord } from "./record.js";
import type { Call, Stored, Version } from "./store.js";

/** One instant on three clocks, ms. `upper` judges my claims, `lower` my claims against others (rule 3). */
export interface Now {
  readonly upper: number;
  readonly lower: number;
  /** For token seeds and labels only. */
  readonly wall: number;
}

export interface CoreConfig {
  readonly node: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly ttlMs: number;
  /** V: how long a confirmed send is believed (rule 3). */
  readonly beliefMs: number;
  readonly renewMs: number;
  readonly requestTimeoutMs: number;
  readonly maxTtlMs: number;
  /** Written into every record of its terms (rule 2). */
  readonly expiry: LeaseRecord["expiry"];
  /** The store judges expiry by its own clock when asked to. */
  readonly storeClock: boolean;
  readonly provesAbsence: boolean;
  readonly readBackProves: boolean;
  readonly eligible: () => boolean;
}

export type Answer =
  | { readonly kind: "read"; readonly stored: Stored | undefined }
  | { readonly kind: "written"; readonly version: Version; readonly epoch: string }
  | { readonly kind: "conflict"; readonly current: Stored | undefined }
  | { readonly kind: "unproven"; readonly epoch: string }
  /** No answer: thrown, or timed out. `verdict` is what the error says of itself. */
  | {
      readonly kind: "failed";
      readonly cause: unknown;
      readonly verdict: "unknown" | "definite" | "permanent";
    };

export type Input =
  | { readonly type: "tick" }
  /** The store hints at a change. */
  | { readonly type: "wake" }
  | { readonly type: "answer"; readonly call: number; readonly answer: Answer }
  | { readonly type: "stand"; readonly stand: Stand; readonly drainMs: number; readonly backOff: boolean }
  | { readonly type: "withdraw" }
  | { readonly type: "watch"; readonly on: boolean }
  | { readonly type: "end"; readonly reason: WantedEnd; readonly drainMs: number; readonly to?: string }
  | { readonly type: "outpaced"; readonly watermark: number; readonly drainMs: number }
  | { readonly type: "settle" }
  | { readonly type: "renew" }
  | { readonly type: "ask"; readonly resign: boolean; readonly to?: string }
  | { readonly type: "retract" }
  | { readonly type: "close" };

export type Effect =
  | { readonly type: "read"; readonly call: number }
  | {
      readonly type: "write";
      readonly call: number;
      readonly record: LeaseRecord;
      readonly expected: Version | undefined;
      readonly absence: Call["absence"];
      readonly takeover: Call["takeover"];
    }
  | {
      readonly type: "elected";
      readonly instance: string;
      readonly token: number;
      readonly untilUpper: number;
    }
  | {
      readonly type: "extended";
      readonly instance: string;
      readonly token: number;
      readonly untilUpper: number;
    }
  | { readonly type: "uncertain"; readonly sinceMs: number; readonly cause: unknown }
  | { readonly type: "confirmed"; readonly afterMs: number }
  | { readonly type: "renewFailed"; readonly cause: unknown; readonly remainingMs: number }
  | { readonly type: "lost"; readonly reason: EndReason; readonly lateByMs: number }
  | { readonly type: "released"; readonly outcome: "released" | "left-to-expire" }
  | { readonly type: "held"; readonly by: HeldBy }
  | { readonly type: "unknown" }
  | { readonly type: "refused"; readonly cause: unknown }
  | { readonly type: "withdrawn" }
  | { readonly type: "view"; readonly view: LeaderView }
  | { readonly type: "asked"; readonly result: AskResult }
  /** Something an operator should know; the code names it in logs. */
  | { readonly type: "notice"; readonly code: string; readonly message: string }
  /** Which rule decided; ignored in production, counted by the lab. */
  | { readonly type: "trace"; readonly rule: number; readonly decision: string };

export type AskResult =
  | { readonly kind: "transferred"; readonly to: string; readonly token: number }
  | { readonly kind: "resigned" | "no-candidate" | "superseded" | "not-held" }
  | { readonly kind: "failed"; readonly cause: unknown };

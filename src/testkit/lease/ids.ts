/** The ids of the lease-level tests; see `case.ts` for what an id promises. */

export type LeaseTestId =
  // replies.ts
  | "lost-reply-keeps-the-term"
  | "late-reply-keeps-the-term"
  | "late-reply-counts-from-the-send"
  | "reply-after-the-deadline-ends-the-term"
  | "one-unsettled-call-keeps-the-term"
  | "unsettled-calls-end-the-term"
  | "late-execution-conflicts"
  | "ghost-renewal-delays-the-successor"
  | "delivery-twice-changes-nothing"
  // losses.ts
  | "removed-record-ends-the-term"
  | "wiped-store-ends-the-term"
  | "restored-store-ends-the-term"
  | "release-leaves-a-tombstone"
  // counter.ts
  | "unsafe-counter-loses-nothing";

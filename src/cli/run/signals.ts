/** The signals of `tenure run`: which end it, which are only passed on. */

import type { Clock, Timer } from "../../base/clock.js";
import { signalCode } from "../exit-codes.js";
import type { Conclusion, Session } from "./session.js";

const ending = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;
const passing = ["SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT"] as const;

/**
 * Runs `act` with the signals handed to the session. After a second one it is waited for
 * no longer than `hastyMs`; the guardian ends what is left.
 */
export async function withSignals(
  session: Session,
  clock: Clock,
  hastyMs: number,
  act: () => Promise<Conclusion>,
): Promise<Conclusion> {
  let interrupts = 0;
  let timer: Timer | undefined;
  let hurry: (conclusion: Conclusion) => void = () => {};
  const hurried = new Promise<Conclusion>((resolve) => {
    hurry = resolve;
  });
  const end = (signal: NodeJS.Signals) => {
    interrupts += 1;
    session.interrupt(signal);
    if (interrupts !== 2) return;
    const late: Conclusion = { outcome: "signalled", exitCode: signalCode(signal), signal };
    timer = clock.setTimer(hastyMs, () => hurry(session.conclusion ?? late));
  };
  const pass = (signal: NodeJS.Signals) => session.forward(signal);
  for (const signal of ending) process.on(signal, end);
  for (const signal of passing) process.on(signal, pass);
  try {
    return await Promise.race([act(), hurried]);
  } finally {
    timer?.cancel();
    // The handlers stay: a late signal must not end us before the report is written.
  }
}

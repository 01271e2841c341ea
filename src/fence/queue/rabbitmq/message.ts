/** How a message shows its fence: in one header, whose text is that of all remote writes. */

import { decodeSent, encodeSent, type Sent } from "../../remote/sent.js";
import type { RabbitmqMessage } from "./client.js";

export const fenceHeader = "tenure-fence";

/** Throws INVALID_OPTION for names that are too long together. */
export function fenceHeaders(sent: Sent): Readonly<Record<string, string>> {
  return { [fenceHeader]: encodeSent(sent) };
}

/** Never throws. `none`: the message shows no fence. */
export function shownBy({ properties }: RabbitmqMessage): Sent | "none" | "newer" | "unreadable" {
  const value = properties.headers?.[fenceHeader];
  if (value === undefined) return "none";
  return typeof value === "string" ? decodeSent(value) : "unreadable";
}

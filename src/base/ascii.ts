/** JSON in which everything but printable ASCII is escaped: what headers of any protocol carry as it is. */
export function toAscii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

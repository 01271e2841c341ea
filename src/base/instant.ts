/** Instants as text, by the calendar and no clock: one text for one instant, and texts in the order of instants. */

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;
const canonical = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** In UTC with milliseconds. Undefined for what is no instant of ISO 8601 with a zone, of the years 0000 to 9999. */
export function toInstant(text: string): string | undefined {
  const ms = iso.test(text) ? Date.parse(text) : Number.NaN;
  const instant = Number.isNaN(ms) ? "" : new Date(ms).toISOString();
  return canonical.test(instant) ? instant : undefined;
}

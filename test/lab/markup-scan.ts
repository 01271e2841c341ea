/**
 * The elements of a page as they open, and the names left open at its end: enough of a parser for markup that
 * closes what it opens, which is the markup that we write.
 */

export interface Opened {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Names of the elements around it, outermost first. */
  readonly within: readonly string[];
}

export interface Scanned {
  readonly elements: readonly Opened[];
  /** What does not fit: an end without its beginning, an element that is never closed. */
  readonly faults: readonly string[];
}

const empty: ReadonlySet<string> = new Set(["meta", "input"]);

export function scan(page: string): Scanned {
  // What stands in a script or a style is no markup, whatever it looks like, up to its own end tag.
  const bare = page.replace(/(<(script|style)\b[^>]*>)[^]*?(<\/\2>)/g, "$1$3");
  const elements: Opened[] = [];
  const faults: string[] = [];
  const open: string[] = [];
  for (const [, closes, name = "", rest = ""] of bare.matchAll(/<(\/?)([a-z][a-z0-9-]*)\b([^>]*)>/gi)) {
    if (closes === "/") {
      const last = open.pop();
      if (last !== name) faults.push(`</${name}> ends <${last}>`);
      continue;
    }
    const pairs = [...rest.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)];
    const attributes = new Map(pairs.map(([, key = "", value = ""]) => [key, value]));
    elements.push({ name, attributes, within: [...open] });
    if (!empty.has(name) && !rest.endsWith("/")) open.push(name);
  }
  return { elements, faults: [...faults, ...open.map((name) => `<${name}> is never closed`)] };
}

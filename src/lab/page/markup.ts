/** HTML from templates. What is put in is text and is escaped, unless it is markup of ours. */

export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: String.raw({ raw: strings }, ...parts.map(markupOf)) };
}

function markupOf(part: Part): string {
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** JSON that cannot end the element it stands in. */
export function json(value: unknown): Markup {
  return { markup: JSON.stringify(value).replaceAll("<", "\\u003c") };
}

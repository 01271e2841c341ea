/** `tenure config`: the settings in force, and where each comes from. Passwords in URLs are not shown. */

import { exitCodes } from "./exit-codes.js";
import { type Effective, resolveSettings } from "./settings.js";
import { redacted } from "./store-url.js";
import { printJson, type Terminal } from "./terminal.js";
import type { Invocation, Verb } from "./verb.js";

export const config: Verb = {
  name: "config",
  everyday: true,
  summary: "the settings in force, and where each comes from",
  about:
    "An option goes before the environment, the environment before the file, the file before the default.",
  positionals: [],
  settings: ["store", "namespace", "node", "ttl", "drain", "local"],
  options: [{ name: "json", kind: "switch", about: "print one JSON object (schema tenure.config/1)" }],
  run: runConfig,
};

async function runConfig(invocation: Invocation, terminal: Terminal): Promise<number> {
  const { effective, file = null } = resolveSettings(invocation, terminal);
  const shown = effective.map((entry) => ({ ...entry, text: shownText(entry) }));
  if (invocation.flags.has("json")) {
    printJson(terminal, {
      schema: "tenure.config/1",
      file,
      settings: shown.map(({ name, text, origin }) => ({ name, value: text ?? null, origin })),
    });
    return exitCodes.done;
  }
  const widest = Math.max(...shown.map(({ text = "" }) => text.length), "(none)".length);
  for (const { name, text = "(none)", origin } of shown) {
    terminal.out(`${name.padEnd(11)}${text.padEnd(widest + 2)}${originText(origin)}`);
  }
  return exitCodes.done;
}

function shownText({ name, text }: Effective): string | undefined {
  return name === "store" && text !== undefined ? redacted(text) : text;
}

function originText({ kind, name }: Effective["origin"]): string {
  return kind === "default" ? "default" : name;
}

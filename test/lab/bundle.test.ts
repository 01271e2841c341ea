import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { clientScript, pageStyle } from "../../src/lab/page/bundle.js";
import { parse, root, walk } from "../architecture/files.js";

const folder = join(root, "src/lab/page/client");
const names = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
const sources = new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
const joined = clientScript();

/** Names at the top of a module. */
function declared(text: string): readonly string[] {
  return parse("script.mjs", text).statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    }
    const named = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
    return named && statement.name !== undefined ? [statement.name.text] : [];
  });
}

describe("the modules of the page's script, joined", () => {
  test("are one script that compiles, so no name is declared twice", () => {
    expect(() => new Script(`"use strict"; () => { ${joined} }`)).not.toThrow();
    expect(joined).not.toMatch(/\b(?:import|export)\b/);
  });

  test("are all there, and each stands behind those it imports", () => {
    const all = [...sources.values()].flatMap(declared);
    expect(declared(joined).toSorted()).toEqual(all.toSorted());
    const place = (module: string) => joined.indexOf(declaration(sources.get(module) ?? ""));
    for (const [name, text] of sources) {
      for (const [, imported = ""] of text.matchAll(/^import .* from "\.\/([\w-]+\.mjs)";$/gm)) {
        expect(sources.has(imported), imported).toBe(true);
        expect(place(imported), `${imported} before ${name}`).toBeLessThan(place(name));
      }
    }
  });

  test("import each other by the names that are exported, on one line, and nothing else", () => {
    for (const [name, text] of sources) {
      const imports = parse(name, text).statements.filter(ts.isImportDeclaration);
      for (const statement of imports) {
        expect(statement.getText()).toMatch(/^import \{ [\w, ]+ \} from "\.\/[\w-]+\.mjs";$/);
        expect(statement.getText()).not.toContain(" as ");
      }
    }
  });

  test("have no text that spans lines, which joining would change", () => {
    for (const [name, text] of sources) {
      const spanning: string[] = [];
      walk(parse(name, text), (node) => {
        if (ts.isTemplateLiteral(node) && node.getText().includes("\n")) spanning.push(node.getText());
      });
      expect(spanning, name).toEqual([]);
    }
  });

  test("bring no comment along, and neither does the style", () => {
    expect(joined).not.toMatch(/\/\*|^\s*\/\/|@import|@type/m);
    expect(pageStyle()).not.toContain("/*");
  });

  test("make text of data by its own means, never as markup or code", () => {
    expect(joined).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/,
    );
  });
});

/** How the first declaration of a module begins, without `export`. */
function declaration(text: string): string {
  const [name = "?"] = declared(text);
  return new RegExp(`^(?:export )?((?:const|let|function|class) ${name}\\b)`, "m").exec(text)?.[1] ?? "?";
}

/** Checks every import of the published sources against the table in zones.ts, and finds import cycles. */
import type { Files } from "./files.js";
import { type Import, importsOf } from "./imports.js";
import type { Violation } from "./violation.js";
import { type Zone, zoneOf } from "./zones.js";

export function checkDirections(files: Files): readonly Violation[] {
  const homeless = [...files.keys()]
    .filter((file) => zoneOf(file) === undefined)
    .map((file) => ({
      file,
      line: 1,
      wrong: "belongs to no zone",
      instead:
        "move it into a folder of DESIGN section 5, or give its folder a row in test/architecture/zones.ts",
    }));
  return [...homeless, ...importsOf(files).flatMap((found) => judge(found, files))];
}

function judge(found: Import, files: Files): readonly Violation[] {
  const zone = zoneOf(found.from);
  if (zone === undefined) return [];
  const at = { file: found.from, line: found.line };
  if (found.target === undefined) return judgePackage(found, zone);
  if (!files.has(found.target)) {
    const wrong = `imports "${found.specifier}", which is no source file`;
    return [{ ...at, wrong, instead: "name a file below src, with its .js suffix" }];
  }
  const other = zoneOf(found.target);
  if (other === undefined || other.name === zone.name || allows(zone, other.name, found.typeOnly)) return [];
  const onlyTypes = allows(zone, other.name, true);
  const wrong = `${zone.name} imports ${other.name} (${found.target})${onlyTypes ? " at run time" : ""}`;
  const allowed = zone.imports.length === 0 ? "nothing else" : zone.imports.join(", ");
  return [{ ...at, wrong, instead: onlyTypes ? "use import type" : `${zone.name} may import ${allowed}` }];
}

function allows(zone: Zone, target: string, typeOnly: boolean): boolean {
  return zone.imports.some((entry) => {
    const [name = "", only] = entry.split(":");
    const matches = name.endsWith("/*") ? target.startsWith(name.slice(0, -1)) : name === target;
    return matches && (only === undefined || typeOnly);
  });
}

function judgePackage(found: Import, zone: Zone): readonly Violation[] {
  const at = { file: found.from, line: found.line };
  if (!found.specifier.startsWith("node:")) {
    const wrong = `imports the package "${found.specifier}"`;
    const instead = "take the client from the user by structural type; the package has no dependencies";
    return [{ ...at, wrong, instead }];
  }
  const name = found.specifier.slice("node:".length).replace(/^fs\/promises$/, "fs");
  if (zone.node === "any" || zone.node.includes(name)) return [];
  const wrong = `${zone.name} imports ${found.specifier}`;
  return [
    {
      ...at,
      wrong,
      instead: "take what it does as an argument (a port of src/base), or move the code to a zone that may",
    },
  ];
}

/** One violation per cycle, at the import that closes it. Type-only imports count: a reader has to follow them too. */
export function checkCycles(files: Files): readonly Violation[] {
  const edges = new Map<string, Import[]>();
  for (const found of importsOf(files)) {
    if (found.target !== undefined) edges.set(found.from, [...(edges.get(found.from) ?? []), found]);
  }
  const done = new Set<string>();
  const violations: Violation[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    for (const edge of edges.get(file) ?? []) {
      const target = edge.target ?? "";
      const start = trail.indexOf(target);
      if (start >= 0) violations.push(cycle(edge, trail.slice(start)));
      else if (!done.has(target)) visit(target, [...trail, target]);
    }
    done.add(file);
  };
  for (const file of files.keys()) if (!done.has(file)) visit(file, [file]);
  return violations;
}

function cycle(edge: Import, members: readonly string[]): Violation {
  const wrong = `closes the import cycle ${[...members, members[0]].join(" -> ")}`;
  return {
    file: edge.from,
    line: edge.line,
    wrong,
    instead: "move what both need into a file that imports neither",
  };
}

/**
 * Who may import whom: DESIGN's directions as a table. `errors` <- `base` <- `history` <- `election` <- algorithms;
 * stores know their port and nothing of elections; what judges (audit, lab, drill, testkit) is never imported by
 * what it judges.
 *
 * A row names a zone, the files in it, the zones it may import (its own is always allowed; `:types` means
 * type-only), and the Node modules it may use. The first row that matches a path wins.
 */
export interface Zone {
  readonly name: string;
  readonly files: RegExp;
  readonly imports: readonly string[];
  readonly node: readonly string[] | "any";
}

const ports = ["base", "errors"];
const production = [...ports, "history", "fence types", "fence", "election", "lease port", "lease"];

export const zones: readonly Zone[] = [
  { name: "errors", files: /^src\/errors\//, imports: [], node: [] },
  {
    name: "base",
    files: /^src\/base\//,
    imports: ["errors"],
    node: ["crypto", "os", "fs", "perf_hooks", "process"],
  },
  { name: "history", files: /^src\/history\//, imports: ports, node: ["fs", "path"] },
  // Numbered versions in a directory: what the file store and the file guard are made of.
  { name: "chain", files: /^src\/chain\//, imports: ports, node: ["fs", "path", "crypto"] },
  // A client of Redis that was handed in, whichever it is: what the Redis store and the Redis guard send over.
  { name: "redis", files: /^src\/redis\//, imports: ports, node: [] },
  {
    name: "fence types",
    files: /^src\/fence\/(fence|sequence)\.ts$/,
    imports: ports,
    node: [],
  },
  // The protocol over transactions, whatever database: what the guards of databases are made of.
  {
    name: "fence/sql",
    files: /^src\/fence\/sql\//,
    imports: [...ports, "fence types", "fence"],
    node: [],
  },
  // Messages of leaders elsewhere, whatever carries them: what the guards of services are made of.
  {
    name: "fence/remote",
    files: /^src\/fence\/remote\//,
    imports: [...ports, "fence types", "fence"],
    node: [],
  },
  // Probes of resources that are reached by messages, through the guards that send and decide them.
  {
    name: "fence/verify",
    files: /^src\/fence\/verify\//,
    imports: [...ports, "fence types", "fence", "fence/http", "fence/queue"],
    node: [],
  },
  {
    name: "fence/$",
    files: /^src\/fence\/([^/]+)\//,
    imports: [...ports, "chain", "redis", "fence types", "fence", "fence/sql", "fence/remote"],
    node: ["path", "crypto"],
  },
  { name: "fence", files: /^src\/fence\//, imports: [...ports, "fence types"], node: [] },
  {
    name: "journal",
    files: /^src\/journal\//,
    imports: [...ports, "chain", "fence types", "fence", "fence/*"],
    node: ["path"],
  },
  { name: "election", files: /^src\/election\//, imports: [...ports, "history", "fence types"], node: [] },
  { name: "lease port", files: /^src\/lease\/(store|record)\.ts$/, imports: ports, node: [] },
  {
    name: "lease core",
    files: /^src\/lease\/(core[^/]*|budget)\.ts$/,
    imports: ["lease port", "base", "errors", "election:types"],
    node: [],
  },
  {
    name: "lease",
    files: /^src\/lease\//,
    imports: [...ports, "history", "fence types", "election", "lease port", "lease core"],
    node: [],
  },
  {
    name: "stores/$",
    files: /^src\/stores\/([^/]+)\//,
    imports: [...ports, "chain", "redis", "lease port"],
    node: ["fs", "path", "crypto"],
  },
  { name: "face", files: /^src\/(index|create-election)\.ts$/, imports: production, node: [] },
  { name: "testing", files: /^src\/testing\//, imports: [...production, "face", "stores/memory"], node: [] },
  { name: "audit", files: /^src\/audit\//, imports: [...ports, "history"], node: [] },
  {
    name: "testkit",
    files: /^src\/testkit\//,
    // A store is proven with a real election on top of it, a guard with numbered writes through it.
    imports: [...ports, "history", "lease port", "lease", "fence types", "fence", "election"],
    node: ["assert", "assert/strict"],
  },
  {
    name: "lab workers",
    files: /^src\/lab\/workers\//,
    imports: ["base", "lab"],
    node: ["worker_threads"],
  },
  {
    name: "lab mutants",
    files: /^src\/lab\/mutants\//,
    imports: ["base", "errors", "lab"],
    node: ["fs", "path", "url", "crypto", "worker_threads"],
  },
  {
    name: "lab",
    files: /^src\/lab\//,
    imports: [...production, "lease core", "face", "chain", "fence/*", "stores/*", "audit", "testing"],
    // A page allows its own script by a hash; of foreign parts it is heard what they let fall.
    node: ["fs", "path", "url", "crypto", "process"],
  },
  {
    name: "drill",
    files: /^src\/drill\//,
    imports: [...production, "face", "stores/*", "audit"],
    node: "any",
  },
  {
    name: "cli",
    files: /^src\/cli\//,
    imports: [
      ...production,
      ...[
        "lease core",
        "fence/*",
        "journal",
        "chain",
        "face",
        "stores/*",
        "audit",
        "testkit",
        "testing",
        "lab",
        "lab workers",
        "lab mutants",
        "drill",
      ],
    ],
    node: "any",
  },
];

/** The zone of a file, with the folder filled in for a row that stands for many (`stores/$`). */
export function zoneOf(path: string): Zone | undefined {
  for (const zone of zones) {
    const match = zone.files.exec(path);
    if (match !== null) return { ...zone, name: zone.name.replace("$", () => match[1] ?? "") };
  }
  return undefined;
}

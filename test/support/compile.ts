/** Type-checks files the way a consumer's project would, and answers with one line per complaint. */
import { join } from "node:path";
import ts from "typescript";
import { root } from "../architecture/files.js";

/** What the package promises to check under: the oldest library and Node types, with declarations checked too. */
export const consumerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts"],
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  types: ["node"],
  typeRoots: [join(root, "node_modules", "@types")],
};

export interface Check {
  readonly options?: ts.CompilerOptions;
  /** Text of files that need not exist on disk. */
  readonly virtual?: ReadonlyMap<string, string>;
}

const foreign = /[\\/]node_modules[\\/](?!tenure[\\/])/;
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Lines like `main.ts:3 TS2345 Argument of type ...`, with paths relative to `base`. */
export function complaints(paths: readonly string[], base: string, check: Check = {}): readonly string[] {
  const options = { ...consumerOptions, ...check.options };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, readFile, fileExists } = host;
  const virtual = check.virtual ?? new Map<string, string>();
  host.fileExists = (path) => virtual.has(path) || fileExists(path);
  host.readFile = (path) => virtual.get(path) ?? readFile(path);
  host.getCurrentDirectory = () => base;
  host.getSourceFile = (path, version, onError, again) => {
    const text = virtual.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, version);
    // The libraries are the same for every cell of the matrix; parsing them is most of the cost.
    if (!/[\\/]typescript[\\/]lib[\\/]lib\./.test(path)) return getSourceFile(path, version, onError, again);
    if (!libraries.has(path)) libraries.set(path, getSourceFile(path, version, onError, again));
    return libraries.get(path);
  };
  const program = ts.createProgram([...paths], options, host);
  // The libraries of others are not ours to check; leaving them out is most of the speed.
  const ours = program.getSourceFiles().filter(({ fileName }) => !foreign.test(fileName));
  const found = ours.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  const general = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  return [...general, ...found].map((diagnostic) => describeDiagnostic(diagnostic, base));
}

function describeDiagnostic({ file, start, code, messageText }: ts.Diagnostic, base: string): string {
  const text = ts.flattenDiagnosticMessageText(messageText, " ").replace(/\s+/g, " ");
  if (file === undefined || start === undefined) return `TS${code} ${text}`;
  const path = file.fileName.startsWith(base) ? file.fileName.slice(base.length + 1) : file.fileName;
  return `${path}:${file.getLineAndCharacterOfPosition(start).line + 1} TS${code} ${text}`;
}

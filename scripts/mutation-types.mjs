// Which edits the type checker refuses: nobody could build those.
import { join } from "node:path";
import ts from "typescript";

/**
 * @param {string} root
 * @param {readonly string[]} files that edits are made in, from the root
 * @returns {(edit: import("./mutation-operators.mjs").Edit) => string | undefined} what it says of an edit
 */
export function typeChecker(root, files) {
  const read = ts.readConfigFile(join(root, "tsconfig.build.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
  /** @type {{ path: string, text: string, version: number }} */
  let edited = { path: "", text: "", version: 0 };
  /** @type {ReadonlyMap<string, number>} */
  let versions = new Map();
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => files.map((file) => join(root, file)),
    getScriptVersion: (path) => String(versions.get(path) ?? 0),
    getScriptSnapshot(path) {
      const text = path === edited.path ? edited.text : ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return ({ file, text }) => {
    const version = edited.version + 1;
    const path = join(root, file);
    // The file that was edited before reads as it is again.
    versions = new Map([...versions, [edited.path, version], [path, version]]);
    edited = { path, text, version };
    // That something is not used any more is no refusal.
    const refusal = service
      .getSemanticDiagnostics(path)
      .find((found) => found.reportsUnnecessary === undefined);
    return refusal && ts.flattenDiagnosticMessageText(refusal.messageText, " ").slice(0, 160);
  };
}

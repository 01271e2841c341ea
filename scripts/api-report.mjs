// One report per entry of the package: every declaration a user can name, in one order, so that a change of the
// public API is a diff that somebody reads. Works on the built declarations in dist.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @param {string} folder where the reports are left; emptied by nobody
 * @returns {Map<string, string>} report text by file name, like `lease.api.md`
 */
export function makeReports(folder) {
  mkdirSync(folder, { recursive: true });
  const configs = readEntries().map(({ name, types }) => ({ name, config: prepare(name, types, folder) }));
  const [first] = configs;
  if (first === undefined) throw new Error("package.json has no entry with types");
  const additionalEntryPoints = configs.map(({ config }) => config.mainEntryPointFilePath);
  const compilerState = CompilerState.create(first.config, { additionalEntryPoints });
  /** @type {Map<string, string>} */
  const reports = new Map();
  for (const { name, config } of configs) {
    const result = Extractor.invoke(config, { localBuild: true, compilerState, messageCallback: silence });
    if (result.errorCount > 0) throw new Error(`${name}: the declarations of dist cannot be analysed`);
    reports.set(`${name}.api.md`, readFileSync(join(folder, `${name}.api.md`), "utf8"));
  }
  return reports;
}

/** @returns {{ name: string, types: string }[]} */
function readEntries() {
  const manifest = /** @type {{ name: string, exports: Record<string, string | { types: string }> }} */ (
    JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  );
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    const name = path === "." ? manifest.name : path.slice(2).replaceAll("/", "-");
    return typeof target === "string" ? [] : [{ name, types: target.types }];
  });
}

/**
 * @param {string} name
 * @param {string} types
 * @param {string} folder
 */
function prepare(name, types, folder) {
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    lib: ["es2022"],
    types: ["node"],
    strict: true,
  };
  const logLevel = ExtractorLogLevel.None;
  const quiet = { default: { logLevel } };
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(root, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, types),
      compiler: { overrideTsconfig: { compilerOptions, files: [join(root, types)] } },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: folder,
        reportTempFolder: join(folder, "temp"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: {
        tsdocMessageReporting: quiet,
        extractorMessageReporting: {
          ...quiet,
          "ae-forgotten-export": { logLevel, addToApiReportFile: true },
        },
      },
    },
  });
}

/** @param {import("@microsoft/api-extractor").ExtractorMessage} message */
function silence(message) {
  if (message.logLevel !== ExtractorLogLevel.Error) message.handled = true;
}

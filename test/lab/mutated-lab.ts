/** A copy of the lab and all that it runs, built from the sources, in which one file at a time is broken. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { Worker } from "node:worker_threads";
import ts from "typescript";

interface Mutant {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const entries = ["src/lab/story/parse.ts", "src/lab/story/play.ts"];
const limitMs = 20_000;

export class MutatedLab {
  readonly #folder: string = mkdtempSync(join(tmpdir(), "tenure-story-"));

  constructor() {
    writeFileSync(join(this.#folder, "package.json"), '{ "type": "module" }\n');
    const files = new Set(entries);
    // What is added while it is walked is walked too.
    for (const file of files) {
      const built = this.#put(file, readFileSync(file, "utf8"));
      for (const { fileName } of ts.preProcessFile(built, true, false).importedFiles)
        if (fileName.startsWith("."))
          files.add(posix.join(posix.dirname(file), fileName).replace(/\.js$/, ".ts"));
    }
  }

  /** What broke when the story was played on that mutant; undefined: it never came to an end. */
  async play(text: string, mutantId: string): Promise<readonly string[] | undefined> {
    const { file, find, replace } = JSON.parse(readFileSync(`mutants/${mutantId}.json`, "utf8")) as Mutant;
    const source = readFileSync(file, "utf8");
    if (source.split(find).length !== 2) throw new Error(`${mutantId} does not fit ${file}`);
    this.#put(file, source.split(find).join(replace));
    try {
      return await this.#inThread(text);
    } finally {
      this.#put(file, source);
    }
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #inThread(text: string): Promise<readonly string[] | undefined> {
    const worker = new Worker(new URL("./story-worker.mjs", import.meta.url), {
      workerData: { folder: this.#folder, text },
    });
    const timer = setTimeout(() => void worker.terminate(), limitMs);
    try {
      return await new Promise((resolve, reject) => {
        worker.once("message", resolve);
        worker.once("error", reject);
        worker.once("exit", () => resolve(undefined));
      });
    } finally {
      clearTimeout(timer);
      await worker.terminate();
    }
  }

  #put(file: string, text: string): string {
    const { ES2022: target } = ts.ScriptTarget;
    const compilerOptions = { target, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
    const built = ts.transpileModule(text, { compilerOptions, fileName: file }).outputText;
    const path = join(this.#folder, file.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, built);
    return built;
  }
}

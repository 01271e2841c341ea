/** A copy of the lab and of all that it runs, built from the sources, in which one file at a time is broken. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Checkout } from "./checkout.js";
import { applyMutant, type Mutant } from "./mutant.js";

/** What runs the seeds. */
const trial = new URL("./trial.js", import.meta.url);

export class Scratch {
  readonly #checkout: Checkout;
  readonly #folder: string;
  /** The sources in it, by path. */
  readonly files: ReadonlySet<string>;

  /**
   * @param folder is made, and removed again.
   * @param like is copied instead of building the same once more.
   */
  constructor(checkout: Checkout, folder: string, like?: Scratch) {
    this.#checkout = checkout;
    this.#folder = folder;
    if (like !== undefined) cpSync(like.#folder, folder, { recursive: true });
    this.files = like?.files ?? this.#build();
  }

  get trial(): URL {
    return pathToFileURL(this.#pathOf(this.#entry));
  }

  /** Its source, also when this runs from what was built. */
  get #entry(): string {
    const path = relative(this.#checkout.root, fileURLToPath(trial)).replaceAll("\\", "/");
    return path.replace(/^dist\//, "src/").replace(/\.js$/, ".ts");
  }

  mutate(mutant: Mutant): void {
    this.#put(mutant.file, applyMutant(mutant, this.#read(mutant.file)));
  }

  restore({ file }: Mutant): void {
    this.#put(file, this.#read(file));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #build(): ReadonlySet<string> {
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, "package.json"), '{ "type": "module" }\n');
    const files = new Set([this.#entry]);
    // What is added while it is walked is walked too.
    for (const file of files) {
      const built = this.#put(file, this.#read(file));
      for (const name of this.#checkout.importsOf(built))
        if (name.startsWith(".")) files.add(sourceOf(file, name));
    }
    return files;
  }

  #read(file: string): string {
    return readFileSync(join(this.#checkout.root, file), "utf8");
  }

  #put(file: string, text: string): string {
    const path = this.#pathOf(file);
    const built = this.#checkout.transpile(text, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, built);
    return built;
  }

  #pathOf(file: string): string {
    return join(this.#folder, file.replace(/\.ts$/, ".js"));
  }
}

function sourceOf(importer: string, name: string): string {
  const base = pathToFileURL("/");
  const url = new URL(name, new URL(importer, base));
  return fileURLToPath(url).replace(/^\//, "").replace(/\.js$/, ".ts");
}

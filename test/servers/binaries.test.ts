/** Where servers and other programs are found, how missing ones are fetched, and what a test does without one. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Found, locate, type Missing, type Places } from "./binaries.js";
import { provideAll } from "./unpack.js";
import { plan } from "./with-server.js";

let folder: string;
let places: Places;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenure-test-"));
  places = {
    searchPath: [join(folder, "bin")],
    libraries: [join(folder, "usr/lib")],
    cache: join(folder, "cache"),
  };
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function file(path: string, text = "", mode = 0o755): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  chmodSync(full, mode);
  return full;
}

/** Why it is missing, or where it is. */
function reasonOf(found: Found | Missing | undefined): string {
  return found !== undefined && "missing" in found ? found.missing : `found: ${found?.path}`;
}

describe("where a server is", () => {
  test("when it is on PATH, that one is taken", () => {
    const path = file("bin/redis-server");
    file("cache/redis/usr/bin/redis-server");
    expect(locate("redis", places)).toEqual({ path, env: {} });
  });

  test("when it was unpacked, it gets the libraries that were unpacked with it", () => {
    file("bin/redis-server", "", 0o644);
    const path = file("cache/redis/usr/bin/redis-server");
    file("cache/redis/usr/lib/x86_64-linux-gnu/libjemalloc.so.2");
    file("cache/redis/usr/lib/systemd/other");
    const libraries = join(folder, "cache/redis/usr/lib/x86_64-linux-gnu");
    expect(locate("redis", places)).toEqual({ path, env: { LD_LIBRARY_PATH: libraries } });
  });

  test("a library is found under the name of the machine, installed or unpacked", () => {
    const unpacked = file("cache/libfaketime/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1");
    expect(locate("libfaketime", places)).toEqual({ path: unpacked, env: {} });
    const installed = file("usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1");
    expect(locate("libfaketime", places)).toEqual({ path: installed, env: {} });
  });

  test("of the versions of PostgreSQL that Debian keeps side by side, the newest is taken", () => {
    file("cache/postgres/usr/lib/postgresql/9/bin/postgres");
    file("cache/postgres/usr/lib/postgresql/17/bin/psql");
    const path = file("cache/postgres/usr/lib/postgresql/15/bin/postgres");
    expect(locate("postgres", places)).toMatchObject({ path });
  });

  test("Erlang is taken where RabbitMQ lies beside it, and not without", () => {
    const path = file("cache/rabbitmq/usr/lib/erlang/erts-13.1.5/bin/beam.smp");
    expect(reasonOf(locate("rabbitmq", places))).toMatch("beam.smp is neither on PATH nor unpacked");
    file("cache/rabbitmq/usr/lib/rabbitmq/lib/rabbitmq_server-3.10.8/INSTALL");
    expect(locate("rabbitmq", places)).toMatchObject({ path });
  });

  test("of a package of npm, only the unpacked one is taken, whose version is known", () => {
    file("bin/node");
    expect(reasonOf(locate("node22", places))).toBe("node22 is not unpacked: run npm run servers");
    const path = file("cache/node22/package/bin/node");
    expect(locate("node22", places)).toEqual({ path, env: {} });
  });

  test("when there is none, the reason says what to do", () => {
    expect(locate("redis", places)).toEqual({
      missing: "redis-server is neither on PATH nor unpacked: run npm run servers",
    });
    expect(reasonOf(locate("libfaketime", places))).toMatch("neither in /usr/lib nor unpacked");
  });
});

describe("tests that need a server", () => {
  test("when it is there, they run", () => {
    file("bin/redis-server");
    expect(plan(["redis"], "a store", true, places)).toEqual({
      title: "a store",
      isSkipped: false,
      failure: undefined,
    });
  });

  test("when it is missing, they are skipped, and the title says why", () => {
    const planned = plan(["redis", "libfaketime"], "a store", false, places);
    expect(planned).toMatchObject({ isSkipped: true, failure: undefined });
    expect(planned.title).toMatch(
      /^a store \(skipped: redis-server is neither .*; faketime.* is neither .*\)$/,
    );
  });

  test("when it is missing and servers are required, they fail with the reason", () => {
    const planned = plan(["redis"], "a store", true, places);
    expect(planned).toMatchObject({ title: "a store", isSkipped: false });
    expect(planned.failure).toMatch(/^TENURE_REQUIRE_SERVERS=1, and redis-server is neither/);
  });
});

describe("a server that is missing", () => {
  /** Stand-ins for Debian's tools; `download` succeeds once the lists were updated. */
  function tools({ server = "exit 0", update = 'touch "$0.updated"', pack = 'touch "$3.tgz"' } = {}): void {
    vi.stubEnv("PATH", `${join(folder, "tools")}:${process.env["PATH"]}`);
    file("server", `#!/bin/sh\n${server}\n`);
    file(
      "tools/apt-get",
      `#!/bin/sh
case " $* " in
  *" update "*) ${update} ;;
  *" libssl3 "*) echo "no such package" >&2; exit 100 ;;
  *) [ -e "$0.updated" ] || { echo "no lists" >&2; exit 100; }
    while [ "$1" != download ]; do shift; done
    shift
    for name; do touch "$name.deb"; done ;;
esac
`,
    );
    file("tools/npm", `#!/bin/sh\n${pack}\n`);
    file(
      "tools/tar",
      `#!/bin/sh
mkdir -p "$4/package/bin" "$4/package/lib"
touch "$4/package/lib/index.js"
cp "${join(folder, "server")}" "$4/package/bin/node"
`,
    );
    file(
      "tools/dpkg",
      `#!/bin/sh
mkdir -p "$3/usr/bin" "$3/usr/lib/any-linux-gnu/faketime"
case "$2" in
  *libfaketime*) touch "$3/usr/lib/any-linux-gnu/faketime/libfaketimeMT.so.1" ;;
  *openssl*) cp "${join(folder, "server")}" "$3/usr/bin/openssl" ;;
  *postgresql-*) mkdir -p "$3/usr/lib/postgresql/16/bin"
    cp "${join(folder, "server")}" "$3/usr/lib/postgresql/16/bin/postgres" ;;
  *mariadb-server-core*) cp "${join(folder, "server")}" "$3/usr/bin/mariadbd" ;;
  *rabbitmq-server*) mkdir -p "$3/usr/lib/rabbitmq/lib/rabbitmq_server-3.10.8" ;;
  *erlang-base*) mkdir -p "$3/usr/lib/erlang/erts-13.1.5/bin"
    cp "${join(folder, "server")}" "$3/usr/lib/erlang/erts-13.1.5/bin/beam.smp" ;;
  *nats-server*) cp "${join(folder, "server")}" "$3/usr/bin/nats-server" ;;
  *redis-tools*) cp "${join(folder, "server")}" "$3/usr/bin/redis-server" ;;
esac
`,
    );
  }

  test("is fetched, after the lists of packages, and found by the next run", () => {
    tools();
    const provided = provideAll(places);
    expect(provided).toEqual([
      { name: "redis", found: locate("redis", places) },
      { name: "openssl", found: locate("openssl", places) },
      { name: "libfaketime", found: locate("libfaketime", places) },
      { name: "postgres", found: locate("postgres", places) },
      { name: "mariadb", found: locate("mariadb", places) },
      { name: "rabbitmq", found: locate("rabbitmq", places) },
      { name: "nats", found: locate("nats", places) },
      { name: "node22", found: locate("node22", places) },
      { name: "better-sqlite3", found: locate("better-sqlite3", places) },
    ]);
    expect(locate("redis", places)).toMatchObject({ path: join(places.cache, "redis/usr/bin/redis-server") });
    expect(readdirSync(places.cache).filter((name) => name.startsWith("unpacking"))).toEqual([]);
  });

  test("and cannot be fetched, is missing with what the tool said, and leaves nothing half done", () => {
    const refusal = 'echo "no network" >&2; exit 100';
    tools({ update: refusal, pack: refusal });
    const [redis] = provideAll(places);
    expect(reasonOf(redis?.found)).toMatch(
      /^redis is not on this machine and could not be fetched: .*no network/,
    );
    expect(readdirSync(places.cache).filter((name) => name !== "apt")).toEqual([]);
  });

  test("and does not run when it was fetched, is missing with what it said", () => {
    tools({ server: 'echo "lib.so: cannot open" >&2; exit 127' });
    const [redis] = provideAll(places);
    expect(reasonOf(redis?.found)).toMatch("does not run: lib.so: cannot open");
  });
});

/** Store URLs: what they mean, what is wrong with them, and that no message of ours shows a password. */

import { describe, expect, test } from "vitest";
import { parseStoreUrl, redacted } from "../../src/cli/store-url.js";

describe("a URL of a Redis server", () => {
  test("goes to the client with its password and without our parameters, and is shown without it", () => {
    const text = "redis://user:p%40ss@host:6380/3?maxTtl=60s&prefix=app.one";
    expect(parseStoreUrl(text, "/work")).toEqual({
      kind: "redis",
      url: "redis://user:p%40ss@host:6380/3",
      prefix: "app.one",
      maxTtlMs: 60_000,
      shown: "redis://user:***@host:6380/3?prefix=app.one",
    });
    expect(parseStoreUrl("rediss://[::1]", "/work")).toEqual({
      kind: "redis",
      url: "rediss://[::1]",
      maxTtlMs: undefined,
      shown: "rediss://[::1]",
    });
  });

  test.each([
    ["redis:", "write redis://HOST:PORT/DATABASE"],
    ["redis://:secret@", "write redis://HOST:PORT/DATABASE"],
    ["redis://:sec#ret@host", "a password is percent-encoded"],
    ["redis://:secret%@host", "user and password are percent-encoded"],
    ["redis://:secret@host/base", "its path is the number of a database"],
    ["redis://:secret@host?ttl=3s", "the parameters are ?maxTtl=DURATION and ?prefix=TEXT"],
    ["redis://host?password=secret", "the parameters are"],
    ["redis://host?maxTtl=3s&maxTtl=4s", "the parameters are"],
    ["redis://:secret@host?maxTtl=3", 'maxTtl "3": a duration with its unit'],
    ["redis://:secret@host?prefix=a/b", "?prefix= takes 1 to 64 of"],
    ["postgres://user:secret@host", "file:PATH, redis://HOST:PORT and memory:"],
    ["user:secret@host:6379", "file:PATH, redis://HOST:PORT and memory:"],
  ])("%s is refused: %s", (text, said) => {
    const refused = () => parseStoreUrl(text, "/work");
    expect(refused).toThrow(said);
    expect(refused).not.toThrow("secret");
  });
});

test.each([
  ["redis://user:secret@host:1/0?prefix=a", "redis://user:***@host:1/0?prefix=a"],
  ["redis://:secret@host", "redis://:***@host"],
  ["redis://secret@host", "redis://***@host"],
  ["redis://:se:cr@t/?et@host", "redis://:***@host"],
  ["redis://host?auth=secret&maxTtl=3s", "redis://host?auth=***&maxTtl=3s"],
  ["redis:user:secret@host", "redis:user:***@host"],
  ["secret@host", "***@host"],
  ["redis://host:6379", "redis://host:6379"],
  ["file:/var/lib/a@b:c@d", "file:/var/lib/a@b:c@d"],
])("%s is shown as %s", (text, shown) => {
  expect(redacted(text)).toBe(shown);
});

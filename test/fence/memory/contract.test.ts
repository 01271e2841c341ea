/** The memory guard keeps the contract of guards. */

import { describe, expect, it } from "vitest";
import { memoryGuard, type ValueGuard } from "../../../src/fence/memory/index.js";
import { guardContract } from "../../../src/testkit/index.js";
import { applyTo, type Texts } from "../texts.js";

/** Two guard objects are two resources here, so a resource is one object for the whole test. */
function openResources() {
  const resources = new Map<string, ValueGuard<Texts>>();
  const never = async () => expect.unreachable("the tests that need this are left out");
  return {
    guard({
      resource,
      order,
      rememberOperations,
    }: {
      resource: string;
      order: "any" | "strict";
      rememberOperations: boolean;
    }) {
      const known = resources.get(resource);
      if (known !== undefined) return known;
      const options = { resource, order, rememberOperations: rememberOperations ? 16 : 0, initial: [] };
      const made = memoryGuard<Texts>(options);
      resources.set(resource, made);
      return made;
    },
    content: async (resource: string) => (await resources.get(resource)?.inspect())?.value ?? [],
    loseReply: () => expect.unreachable("the tests that need this are left out"),
    operator: { restart: never, wipe: never, snapshot: never, restore: never },
    close: async () => {},
  };
}

const gone = "the resource lives and dies with the object that holds it";

guardContract({
  describe,
  it,
  name: "memory",
  open: async () => ({ ...applyTo, ...openResources() }),
  capabilities: {
    savesResults: true,
    ordersStrictly: true,
    remembersOperations: true,
    claimsPassWriters: true,
  },
  skip: {
    loseReply: "an answer within the process cannot get lost",
    "operator.restart": gone,
    "operator.wipe": gone,
    "operator.snapshot": gone,
    "operator.restore": gone,
  },
});

/** A service over HTTP: what fences lies in its database, so only probes can be sent to it. */

import { verifyHttpFence } from "../../fence/verify/index.js";
import { usageError } from "../usage-error.js";
import type { GuardPlace, PlaceOptions } from "./place.js";

export async function openHttp(text: string, { environment }: PlaceOptions): Promise<GuardPlace> {
  const url = new URL(text);
  const authorization = basic(url) ?? environment["TENURE_HTTP_AUTHORIZATION"];
  url.username = "";
  url.password = "";
  const elsewhere = (): never => {
    throw usageError(`a service keeps what it has seen in its database: name that instead of ${url.origin}`);
  };
  return {
    holds: "service",
    look: async () => elsewhere(),
    operator: elsewhere,
    verify: async () => verifyHttpFence({ url, fetch: fetchWith(authorization) }),
    close: async () => {},
  };
}

/** As browsers send user and password of a URL. */
function basic({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const pair = [username, password].map((part) => decodeURIComponent(part)).join(":");
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function fetchWith(authorization: string | undefined): typeof fetch {
  if (authorization === undefined) return fetch;
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", authorization);
    return fetch(input, { ...init, headers });
  };
}

/** etcd3's election: a campaign that emits `error`. On etcd, not on Redis; there for what a user would pick instead. */

import { loadPeer } from "../peers/install.mjs";

/**
 * @typedef {{ readonly on: (event: string, listener: () => void) => unknown }} Emitter
 * @typedef {Emitter & { readonly lease: Emitter }} Campaign `lease` is private there: its events say what was confirmed
 * @typedef {{ readonly election: (name: string, ttlSeconds: number) => { campaign: (value: string) => Campaign }
 *   }} Client
 * @typedef {{ readonly Etcd3: new (options: { readonly hosts: string }) => Client }} Etcd3
 */

/** @type {import("./contender.mjs").Contender} */
export const etcd3 = {
  package: "etcd3",
  server: "etcd",
  async hold({ port, ttlMs, held, confirmed, told }) {
    const { Etcd3 } = /** @type {Etcd3} */ (await loadPeer("etcd3"));
    const client = new Etcd3({ hosts: `http://127.0.0.1:${port}` });
    const campaign = client.election("job", ttlMs / 1_000).campaign("bench");
    let sentAt = process.hrtime.bigint();
    campaign.lease.on("keepaliveFired", () => {
      sentAt = process.hrtime.bigint();
    });
    campaign.lease.on("keepaliveSucceeded", () => confirmed(sentAt));
    campaign.on("elected", () => {
      confirmed(sentAt);
      held();
    });
    campaign.on("error", () => told("`error` of the campaign is emitted"));
  },
};

/** Claims of one term after the other, as elections make them: the writes are those of the last one. */

/**
 * @template H
 * @param {import("tenure/fence").Guard<H>} guard
 * @returns {Promise<{ readonly handle: () => H, readonly claim: () => Promise<void> }>}
 */
export async function openTerms(guard) {
  let token = 1;
  /** @returns {import("tenure").Fence} */
  const fence = () => ({
    v: 1,
    namespace: "default",
    election: "bench",
    lineage: "default/lease",
    token: (token += 1),
    owner: `owner-${token}`,
  });
  let handle = await guard.claim(fence());
  return {
    handle: () => handle,
    async claim() {
      handle = await guard.claim(fence());
    },
  };
}

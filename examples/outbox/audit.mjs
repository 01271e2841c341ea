// The verdict, from what the two databases hold and nothing else.

/** @typedef {Awaited<ReturnType<typeof audit>>} Audit */

const questions = {
  messages: "SELECT count(*) FROM shop.message",
  unsent: "SELECT count(*) FROM shop.message WHERE sent_at IS NULL",
  parcels: "SELECT count(*) FROM shipping.parcel",
  lost: `SELECT count(*) FROM shop.message m
    WHERE NOT EXISTS (SELECT FROM shipping.parcel p WHERE p.message = m.id)`,
  invented: `SELECT count(*) FROM shipping.parcel p
    WHERE NOT EXISTS (SELECT FROM shop.message m WHERE m.id = p.message)`,
  doubled: `SELECT count(*) FROM (SELECT FROM shipping.parcel GROUP BY message HAVING count(*) > 1) twice`,
  disordered: `SELECT count(*) FROM (
    SELECT n < lag(n) OVER (PARTITION BY customer ORDER BY id) AS late FROM shipping.parcel) each WHERE late`,
};

/** @param {import("pg").Pool} pool */
export async function audit(pool) {
  const counts = /** @type {Record<keyof typeof questions, number>} */ ({});
  for (const [name, text] of Object.entries(questions)) {
    const { rows } = await pool.query(text);
    const [row] = /** @type {{ readonly count: string }[]} */ (rows);
    counts[/** @type {keyof typeof questions} */ (name)] = Number(row?.count);
  }
  const { rows } = await pool.query("SELECT reason, count(*) FROM shipping.refused GROUP BY reason");
  const refused = Object.fromEntries(rows.map(({ reason, count }) => [String(reason), Number(count)]));
  const { unsent, lost, invented, doubled, disordered } = counts;
  const held = counts.messages > 0 && unsent + lost + invented + doubled + disordered === 0;
  return { ...counts, refused, held };
}

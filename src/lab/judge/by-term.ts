/** What is known of terms, by instance and token: no text is made of the two, as it would be for each renewal. */
export class ByTerm<V> {
  readonly #known = new Map<string, Map<number, V>>();

  get(instance: string, token: number): V | undefined {
    return this.#known.get(instance)?.get(token);
  }

  set(instance: string, token: number, value: V): void {
    const tokens = this.#known.get(instance);
    if (tokens === undefined) this.#known.set(instance, new Map([[token, value]]));
    else tokens.set(token, value);
  }
}

/**
 * Where things lie on the server: `tenure:{namespace}:name`, and the namespace's marker at `tenure:{namespace}`.
 *
 * The braces keep a namespace in one slot of a cluster, so that a record and the marker that vouches
 * for it are never apart. The marker's key is also the channel on which changes are announced.
 */

export interface Place {
  readonly key: string;
  readonly marker: string;
  /** What the channel says when this key has news. */
  readonly name: string;
}

const plain = /^[a-z0-9-]+$/;

/** `key` is the port's: an encoded namespace, a slash, an encoded name. Injective for any other key too. */
export function placeOf(prefix: string, key: string): Place {
  const at = key.indexOf("/");
  const namespace = key.slice(0, Math.max(at, 0));
  if (!plain.test(namespace)) {
    const marker = markerKey(prefix, "");
    return { key: `${marker}/${key}`, marker, name: key };
  }
  const [marker, name] = [markerKey(prefix, namespace), key.slice(at + 1)];
  return { key: `${marker}:${name}`, marker, name };
}

export function markerKey(prefix: string, namespace: string): string {
  return `${prefix}:{${namespace}}`;
}

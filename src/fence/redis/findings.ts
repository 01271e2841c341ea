/** What a claim learns of the server, and what it takes from the promise. */

export interface RedisFinding {
  readonly code: "REDIS_REPLICAS" | "REDIS_EVICTION";
  readonly message: string;
}

/** `facts`: number of replicas, largest memory, what is done when it is full. */
export function findingsOf([replicas, maxMemory, policy]: readonly (
  | string
  | null
)[]): readonly RedisFinding[] {
  const findings: RedisFinding[] = [];
  if (Number(replicas) > 0) {
    const message =
      "the server has replicas: a failover may lose what was written, and is claimed anew by whoever comes first";
    findings.push({ code: "REDIS_REPLICAS", message });
  }
  if (Number(maxMemory) > 0 && policy?.startsWith("allkeys-") === true) {
    const message = `the server's maxmemory-policy ${policy} may evict what fences the resource; use noeviction or volatile-*`;
    findings.push({ code: "REDIS_EVICTION", message });
  }
  return findings;
}

/** An algorithm without a token, as Bully will be. */
import type { Algorithm, UnfencedLeadership } from "tenure";

export declare const unfenced: Algorithm<UnfencedLeadership>;

import { swarmPart } from "./suite.js";

swarmPart(4);

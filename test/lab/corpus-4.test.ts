import { corpusPart } from "./suite.js";

corpusPart(4);

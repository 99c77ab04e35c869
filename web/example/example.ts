import { enableReading } from "../shared/reading.ts";

enableReading(document);
document.documentElement.dataset["state"] = "done";

// The seal: once everything that the page will ever need is here, the page
// gives up the right to ask for more. A policy only ever gets stricter, so no
// script can take it back. What was there before goes on: workers, downloads of
// what the page itself made, styles by script.

import { part } from "./part.ts";

const sealPolicy =
  "default-src 'none'; img-src data:; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

// How long the browser may take to show that the policy is in force.
const patience = 3_000;

// sealPage seals the page and says truthfully whether that worked: in words, and
// to tests by data-sealed of the root element.
export async function sealPage(document: Document): Promise<void> {
  const say = (sealed: "true" | "no", sentence: string): void => {
    part(document, "#seal-state", HTMLElement).textContent = sentence;
    document.documentElement.dataset["sealed"] = sealed;
  };
  try {
    await seal(document);
    say("true", "Sealed: the browser refuses every request that this page could make, until it is loaded anew.");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say("no", `Not sealed: ${why}. The engine's own worker is closed all the same; the page could still ask this site for files.`);
  }
}

// seal resolves once the browser has refused something under the new policy;
// it rejects with the reason where the browser didn't.
async function seal(document: Document): Promise<void> {
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = sealPolicy;
  document.head.append(meta);
  if (!(await refusesRequests())) throw new Error("this browser did not take the policy");
}

// refusesRequests tries a request that would need no network, and looks for the
// refusal by the seal. The policy that the page came with refuses it as well,
// and says so in a report of its own: that one names connect-src, ours doesn't.
async function refusesRequests(): Promise<boolean> {
  const heard = new Promise<boolean>((resolve) => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const bySeal = event.disposition === "enforce" && !event.originalPolicy.includes("connect-src");
      if (event.effectiveDirective === "connect-src" && bySeal) resolve(true);
    });
    setTimeout(() => resolve(false), patience);
  });
  const sent = fetch("data:,").then(
    () => true,
    () => false,
  );
  return (await heard) && !(await sent);
}

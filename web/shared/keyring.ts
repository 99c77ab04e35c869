// The keys that a page knows: those that the build pins with their history, and
// those that the server told when it made the page. They stay apart, so that
// what the server adds is never taken for pinned; the engine lets the second take
// trust away from the first, not add any. Nothing is fetched for it: the page is
// sealed by then.

import pinned from "../../static/public/keys.json";

// keyring is what the engine's methods take as keys.
export function keyring(told: string): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ pinned, told: JSON.parse(told) as unknown }));
}

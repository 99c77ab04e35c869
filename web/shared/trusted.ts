// The script addresses that this page may run. Where the browser knows Trusted
// Types, nothing else on the page can name one.

interface TrustedTypePolicy {
  createScriptURL(url: string): unknown;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): TrustedTypePolicy;
}

// scriptURLs gives the one function that admits the page's own scripts, and
// refuses every other address. It can be called once: the page's policy allows
// one maker of script addresses, by this name.
export function scriptURLs(own: readonly string[]): (url: string) => string {
  const admit = (url: string): string => {
    if (!own.includes(url)) throw new TypeError("not a script of this page");
    return url;
  };
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("manifestseal", { createScriptURL: admit });
  // A trusted address is an object that the browser takes in a string's place.
  return policy === undefined ? admit : (url) => policy.createScriptURL(url) as string;
}

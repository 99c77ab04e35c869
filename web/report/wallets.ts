// Wallets in the browser, by the Wallet Standard: they announce themselves by
// events, before or after this page has loaded.
// https://github.com/wallet-standard/wallet-standard

export interface Account {
  readonly address: string;
  readonly chains: readonly string[];
  readonly features: readonly string[];
}

interface Connect {
  connect(): Promise<{ readonly accounts: readonly Account[] }>;
}

interface SignTransaction {
  readonly supportedTransactionVersions: readonly (string | number)[];
  signTransaction(input: {
    readonly account: Account;
    readonly transaction: Uint8Array;
    readonly chain: string;
  }): Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
}

export interface Wallet {
  readonly name: string;
  readonly icon: string;
  readonly chains: readonly string[];
  readonly accounts: readonly Account[];
  readonly features: Readonly<Record<string, unknown>>;
}

const connectFeature = "standard:connect";
const signFeature = "solana:signTransaction";

// watchWallets tells of each wallet that can sign a Solana transaction, as it
// appears. fits says whether it speaks the chain.
export function watchWallets(chain: string, found: (wallet: Wallet, fits: boolean) => void): void {
  const known = new Set<Wallet>();
  const register = (...wallets: readonly Wallet[]): (() => void) => {
    for (const wallet of wallets) {
      if (known.has(wallet) || !canSign(wallet)) continue;
      known.add(wallet);
      found(wallet, wallet.chains.includes(chain));
    }
    return () => undefined;
  };
  const api = Object.freeze({ register });
  window.addEventListener("wallet-standard:register-wallet", (event) => {
    (event as CustomEvent<(api: { register: typeof register }) => void>).detail(api);
  });
  window.dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: api }));
}

function canSign(wallet: Wallet): boolean {
  return connectFeature in wallet.features && signFeature in wallet.features;
}

// connect asks the wallet for an account on the chain; undefined when it has none.
export async function connect(wallet: Wallet, chain: string): Promise<Account | undefined> {
  const { accounts } = await (wallet.features[connectFeature] as Connect).connect();
  return accounts.find((account) => account.chains.includes(chain) && account.features.includes(signFeature));
}

// takesVersions says whether the wallet signs messages of version 0.
export function takesVersions(wallet: Wallet): boolean {
  return (wallet.features[signFeature] as SignTransaction).supportedTransactionVersions.includes(0);
}

// sign has the wallet sign. It rejects when its owner says no.
export async function sign(wallet: Wallet, account: Account, transaction: Uint8Array, chain: string): Promise<Uint8Array> {
  const [output] = await (wallet.features[signFeature] as SignTransaction).signTransaction({ account, transaction, chain });
  if (output === undefined) throw new Error("the wallet gave nothing back");
  return output.signedTransaction;
}

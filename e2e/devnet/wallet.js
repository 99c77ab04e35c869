// A burner wallet for the development chain: it registers by the Wallet Standard
// and holds keys that are worth nothing. It asks before it signs, as wallets do.
//
// Tests set localStorage["burner-wallet"] to JSON of any of
//   account: "buyer" (default), "poor" (a unit short of the price), "stranger" (no token account)
//   answer:  "ask" (default), "sign", "reject", "hang"
//   late:    milliseconds before it registers
//   chains:  what it claims to speak (default ["solana:devnet"])
"use strict";
(() => {
	const ACCOUNTS = /*ACCOUNTS*/ {};
	const settings = () => ({ account: "buyer", answer: "ask", late: 0, chains: ["solana:devnet"], ...JSON.parse(localStorage.getItem("burner-wallet") ?? "{}") });
	const ICON = "data:image/svg+xml;base64," + btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#c50"/></svg>');
	const FEATURES = ["solana:signTransaction"];
	const listeners = new Set();
	let accounts = [];

	const fromBase64URL = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

	function current() {
		const { account, chains } = settings();
		const { x, address } = ACCOUNTS[account];
		return Object.freeze({ address, publicKey: fromBase64URL(x), chains, features: FEATURES, label: "Burner: " + account });
	}

	function setAccounts(next) {
		accounts = next;
		for (const listener of listeners) listener({ accounts });
	}

	async function connect({ silent } = {}) {
		if (accounts.length === 0 && !silent) setAccounts([current()]);
		return { accounts };
	}

	/** Where the signatures end and the place of the key's slot among them. */
	function slotOf(transaction, key) {
		const count = transaction[0];
		const message = 1 + 64 * count;
		const keys = message + (transaction[message] & 0x80 ? 5 : 4);
		for (let n = 0; n < count; n++) {
			if (key.every((byte, k) => transaction[keys + 32 * n + k] === byte)) return { message, slot: 1 + 64 * n };
		}
		throw new Error("the transaction does not ask for this account's signature");
	}

	async function agreed() {
		const { answer } = settings();
		if (answer === "hang") await new Promise(() => {});
		if (answer === "reject" || answer === "ask" && !confirm("Burner wallet: sign this transaction?")) {
			throw Object.assign(new Error("User rejected the request."), { code: 4001 });
		}
	}

	async function signOne({ account, transaction }) {
		const { d, x } = Object.values(ACCOUNTS).find(({ address }) => address === account.address);
		const signed = Uint8Array.from(transaction);
		const { message, slot } = slotOf(signed, account.publicKey);
		const key = await crypto.subtle.importKey("jwk", { kty: "OKP", crv: "Ed25519", d, x }, "Ed25519", false, ["sign"]);
		signed.set(new Uint8Array(await crypto.subtle.sign("Ed25519", key, signed.subarray(message))), slot);
		return { signedTransaction: signed };
	}

	async function signTransaction(...inputs) {
		await agreed();
		return Promise.all(inputs.map(signOne));
	}

	const wallet = Object.freeze({
		version: "1.0.0",
		name: "Burner wallet",
		icon: ICON,
		get chains() {
			return settings().chains;
		},
		get accounts() {
			return accounts;
		},
		features: Object.freeze({
			"standard:connect": { version: "1.0.0", connect },
			"standard:disconnect": { version: "1.0.0", disconnect: async () => setAccounts([]) },
			"standard:events": {
				version: "1.0.0",
				on: (event, listener) => {
					if (event === "change") listeners.add(listener);
					return () => listeners.delete(listener);
				},
			},
			"solana:signTransaction": { version: "1.0.0", supportedTransactionVersions: ["legacy", 0], signTransaction },
		}),
	});

	function register() {
		const callback = ({ register }) => register(wallet);
		window.addEventListener("wallet-standard:app-ready", ({ detail }) => callback(detail));
		window.dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: callback }));
	}

	const { late } = settings();
	if (late > 0) setTimeout(register, late);
	else register();
})();

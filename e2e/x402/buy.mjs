// Buys once with the unchanged x402 client and prints what came of it as JSON.
//
//	node buy.mjs --url URL --rpc URL --key FILE [--x402 1] < body.json
//
// --x402 1 takes the client's path for version 1 of the protocol: it reads the
// body of the 402, so the header of version 2 is kept from it, as an old server
// or a proxy that knows nothing of it would.
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { createKeyPairSignerFromBytes } from "@solana/kit";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { ExactSvmScheme, toClientSvmSigner } from "@x402/svm";
import { ExactSvmSchemeV1 } from "@x402/svm/exact/v1/client";

const { values: options } = parseArgs({
	options: {
		url: { type: "string" },
		rpc: { type: "string" },
		key: { type: "string" },
		x402: { type: "string", default: "2" },
	},
});

const signer = toClientSvmSigner(await createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(readFileSync(options.key, "utf8")))));
const client = new x402Client();
if (options.x402 === "1") client.registerV1("solana-devnet", new ExactSvmSchemeV1(signer, { rpcUrl: options.rpc }));
else client.register("solana:*", new ExactSvmScheme(signer, { rpcUrl: options.rpc }));

/** The platform's fetch, which also notes the payments that the client sends. */
const payments = [];
async function observed(request) {
	const payment = request.headers.get("PAYMENT-SIGNATURE") ?? request.headers.get("X-PAYMENT");
	if (payment !== null) payments.push(payment);
	const response = await fetch(request);
	if (options.x402 !== "1" || response.status !== 402) return response;
	const headers = new Headers(response.headers);
	headers.delete("PAYMENT-REQUIRED");
	return new Response(response.body, { status: 402, headers });
}

const buy = wrapFetchWithPayment(observed, client);
const response = await buy(options.url, { method: "POST", headers: { "Content-Type": "application/json" }, body: await text(process.stdin) });
const receipt = response.headers.get("PAYMENT-RESPONSE") ?? response.headers.get("X-PAYMENT-RESPONSE");
console.log(
	JSON.stringify({
		status: response.status,
		type: response.headers.get("Content-Type"),
		receipt: receipt === null ? null : decodePaymentResponseHeader(receipt),
		payments,
		body: await response.text(),
	}),
);

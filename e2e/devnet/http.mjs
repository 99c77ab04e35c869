// The chain on a loopback port: JSON-RPC at / and /node/NAME, the tests' control at /control.
import { createServer } from "node:http";
import { methods, RPCError, signatureOf } from "./rpc.mjs";

const MAX_BODY = 64 * 1024;

/** Resolves with the listening server. control is (command) => result. */
export function listen(chain, nodes, control, { host, port }) {
	const known = methods(chain);
	const server = createServer(async (request, response) => {
		try {
			if (request.url === "/control") return await answerControl(request, response, control);
			await answerRPC(request, response, known, nodes.get(request.url.replace(/^\/(node\/)?/, "")));
		} catch (error) {
			if (!response.headersSent) send(response, 400, { error: error.message });
		}
	});
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => resolve(server));
	});
}

async function answerRPC(request, response, known, node) {
	// A wallet in a page of any origin may ask, as with a public node.
	response.setHeader("Access-Control-Allow-Origin", "*");
	response.setHeader("Access-Control-Allow-Headers", "content-type, solana-client");
	if (request.method === "OPTIONS") return response.writeHead(204).end();
	if (request.method !== "POST") return send(response, 405, { error: "POST JSON-RPC here" });
	const question = JSON.parse(await bodyOf(request));
	const fault = node.take(question.method);
	if (fault === "down") return request.socket.destroy();
	if (fault === "busy") return send(response, 429, {});
	const reply = { jsonrpc: "2.0", id: question.id ?? null };
	try {
		reply.result = resultOf(question, known, fault);
	} catch (error) {
		reply.error = { code: error.code ?? -32603, message: error.message, ...(error.data && { data: error.data }) };
	}
	if (fault === "lose-answer") return request.socket.destroy();
	send(response, 200, reply);
}

function resultOf({ method, params }, known, fault) {
	if (!Object.hasOwn(known, method)) throw new RPCError(-32601, "Method not found: " + method);
	if (fault === "refuse") throw new RPCError(-32005, "Node is behind by 42 slots");
	if (fault === "hide") return { context: { slot: 0 }, value: params[0].map(() => null) };
	if (fault === "swallow") return signatureOf(params);
	return known[method](params ?? []);
}

async function answerControl(request, response, control) {
	// Only programs: a page of another origin cannot send this type without asking first.
	if (request.method === "POST" && request.headers["content-type"] !== "application/json") return send(response, 415, { error: "want application/json" });
	send(response, 200, await control(request.method === "POST" ? JSON.parse(await bodyOf(request)) : {}));
}

async function bodyOf(request) {
	const chunks = [];
	let size = 0;
	for await (const chunk of request) {
		size += chunk.length;
		if (size > MAX_BODY) throw new Error("body too large");
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}

function send(response, status, value) {
	response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}

// What can be made to go wrong, for tests. Each fault holds for so many calls of
// its method, or until it is cleared.

const METHOD = {
	swallow: "sendTransaction", // taken, and never passed on
	"lose-answer": "sendTransaction", // passed on, and the connection cut
	refuse: "sendTransaction", // refused by the node
	hide: "getSignatureStatuses", // a node that lags: it knows of nothing
	down: null, // every call: the connection cut
	busy: null, // every call: 429
};

/** One way to the chain: its faults are its own, and it counts what it is asked. */
export class Node {
	calls = {}; // method -> how often
	#active = new Map(); // fault -> calls left

	set(fault, count = Infinity) {
		if (!(fault in METHOD)) throw new Error(`unknown fault ${fault}: want one of ${Object.keys(METHOD).join(", ")}`);
		if (!(count > 0)) throw new Error("count: want a number above 0");
		this.#active.set(fault, count);
	}

	clear() {
		this.#active.clear();
	}

	/** Counts a call, and takes one call's worth of the fault that it meets, or null. */
	take(method) {
		this.calls[method] = (this.calls[method] ?? 0) + 1;
		for (const [fault, left] of this.#active) {
			if (METHOD[fault] !== null && METHOD[fault] !== method) continue;
			if (left > 1) this.#active.set(fault, left - 1);
			else this.#active.delete(fault);
			return fault;
		}
		return null;
	}

	list() {
		return Object.fromEntries([...this.#active].map(([fault, left]) => [fault, left === Infinity ? "until cleared" : left]));
	}
}

/** Nodes of one chain by name. "" is the one at /, another is at /node/NAME. */
export class Nodes {
	#named = new Map();

	get(name = "") {
		if (typeof name !== "string" || !/^[a-z0-9-]{0,40}$/.test(name)) throw new Error("node: want a name of small letters, digits and hyphens");
		if (!this.#named.has(name)) this.#named.set(name, new Node());
		return this.#named.get(name);
	}
}

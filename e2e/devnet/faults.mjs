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

export class Faults {
	#active = new Map(); // fault -> calls left

	set(fault, count = Infinity) {
		if (!(fault in METHOD)) throw new Error(`unknown fault ${fault}: want one of ${Object.keys(METHOD).join(", ")}`);
		if (!(count > 0)) throw new Error("count: want a number above 0");
		this.#active.set(fault, count);
	}

	clear() {
		this.#active.clear();
	}

	/** Takes one call's worth of the fault that a method meets, or null. */
	take(method) {
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

// Command wasm implements the engine's entry in a browser's worker: it registers
// one function and blocks. Everything else is package bridge's.
//
//	manifestsealCall(method: string, inputs: Uint8Array[]) => Uint8Array[]
package main

import (
	"syscall/js"

	"github.com/manifestseal/manifestseal/wasm/bridge"
)

func main() {
	js.Global().Set("manifestsealCall", js.FuncOf(call))
	if ready := js.Global().Get("manifestsealReady"); ready.Type() == js.TypeFunction {
		ready.Invoke()
	}
	bridge.Warm() // while the page hears that the engine is ready
	select {}
}

func call(_ js.Value, args []js.Value) any {
	in := make([][]byte, args[1].Length())
	for i := range in {
		v := args[1].Index(i)
		in[i] = make([]byte, v.Get("length").Int())
		js.CopyBytesToGo(in[i], v)
	}
	out := bridge.Call(args[0].String(), in)
	list := js.Global().Get("Array").New(len(out))
	bytes := js.Global().Get("Uint8Array")
	for i, b := range out {
		v := bytes.New(len(b))
		js.CopyBytesToJS(v, b)
		list.SetIndex(i, v)
	}
	return list
}

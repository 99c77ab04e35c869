// thousands writes a whole number as English does: 1,234,567. The browser's own
// way loads its tables of the world's languages first, and the first result
// would wait for them.
export function thousands(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

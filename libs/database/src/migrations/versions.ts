const NUMBERS = /^(\d+)\.(\d+)\.(\d+)/;

/** True where one version of the service (`1.10.0`) came before another. What is no version came before none. */
export function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => NUMBERS.exec(text)?.slice(1).map(Number));
  if (one === undefined || other === undefined) return false;
  const difference = one.map((number, at) => number - (other[at] ?? 0)).find((each) => each !== 0) ?? 0;
  return difference < 0;
}

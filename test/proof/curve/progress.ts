/** Shows how far a long look is, and what is left of it. */
export function progressLine(): (done: number, of: number) => void {
  const started = Date.now();
  return (done, of) => {
    const left = Math.round(((Date.now() - started) / done / 1000) * (of - done));
    const line = `${done}/${of}, about ${left} s left`;
    if (process.stdout.isTTY) {
      process.stdout.write(`\r\u001b[2K${line}${done === of ? '\n' : ''}`);
    } else if (done % Math.ceil(of / 10) === 0) process.stdout.write(`${line}\n`);
  };
}

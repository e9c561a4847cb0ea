const endings = [];

/** Has something ended when the run of Jest is over. */
export const endWithTheRun = (end) => void endings.push(end);

export async function endAll() {
  for (const end of endings.splice(0).reverse()) await end();
}

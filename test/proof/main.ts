// `npm run prove`: the kill matrix with operators and worlds, or the order of requests and what it shows.
const wanted = process.argv.slice(2);
if (wanted.includes('--order') || wanted.includes('--curve')) await import('./curve/main.ts');
else await import('./kill/main.ts');

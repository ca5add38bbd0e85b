// `npm run prove`: the kill matrix with operators and worlds, the order of checks, or how soon it shows faults.
if (process.argv.includes('--order')) await import('./order/main.ts');
else if (process.argv.includes('--curve')) await import('./order/curve.ts');
else await import('./kill/main.ts');

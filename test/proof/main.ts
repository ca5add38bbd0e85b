// `npm run prove`: the kill matrix with operators and worlds, or the order of checks.
if (process.argv.includes('--order')) await import('./order/main.ts');
else await import('./kill/main.ts');

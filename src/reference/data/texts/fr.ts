import type { NewsTexts } from './texts.ts';

export const fr: NewsTexts = {
  titles: {
    1: [
      '{name} varie de {pct}, le volume atteint {usd}',
      'L’intérêt ouvert sur {symbol} monte à {usd} sur {exchange}',
      'Les détenteurs de {name} attendent la prochaine donnée macroéconomique',
    ],
    2: [
      'Étude : ce qui détermine l’offre de {name}',
      'Rapport on-chain hebdomadaire : {usd} de transferts en {symbol}',
      'Quelle liquidité pour {name} ? Les carnets d’ordres de {exchange}',
    ],
    3: [
      '{firm} ajoute {usd} de {name} à son portefeuille',
      '{firm} augmente de {pct} son exposition à {symbol}',
      'Les desks institutionnels de {exchange} constatent une demande pour {name}',
    ],
    4: [
      'Opinion : pourquoi je continue de suivre {name}',
      'Patience avec {symbol} après un mouvement de {pct}',
      'Trois questions auxquelles {name} doit répondre cette année',
    ],
    7: [
      '{exchange} ouvre de nouvelles paires {symbol}',
      'La Fondation {name} annonce une mise à niveau du réseau',
      '{exchange} suspendra les retraits de {symbol} pour maintenance',
    ],
    13: [
      'L’action {stock} varie de {pct} après un achat de {name}',
      '{stock} déclare {usd} de {symbol} à son bilan',
      'Les analystes réévaluent {stock} alors que {name} change de direction',
    ],
  },
  generalTitles: [
    'Le marché des actifs numériques échange {usd} en une journée',
    'Les régulateurs publient une nouvelle consultation sur la conservation',
    'Les transferts de stablecoins dépassent {usd} cette semaine',
  ],
  leads: [
    '{name} ({symbol}) a varié de {pct} en 24 heures, avec {usd} échangés sur les principales plateformes.',
    'Les opérateurs de {exchange} ont gardé {name} à l’œil, et les écarts sont restés serrés.',
    '{firm} a indiqué à ses clients que son avis sur {symbol} n’a pas changé.',
  ],
  generalLeads: [
    'Le marché dans son ensemble a varié de {pct}, pour un volume de {usd}.',
    'Les desks de {exchange} décrivent une séance calme et ordonnée.',
  ],
  bodies: [
    'Les volumes ont culminé dans l’après-midi européen avant de refluer vers la clôture.',
    'Les données sur les dérivés montrent que la plupart des positions ont été ouvertes avec peu de levier.',
    'L’activité sur la chaîne est restée proche de la moyenne du mois écoulé.',
    'Les teneurs de marché estiment que la profondeur s’est reconstituée depuis le début du trimestre.',
  ],
  headings: ['Ce qui s’est passé', 'Pourquoi c’est important', 'Et ensuite'],
  points: [
    'La liquidité se concentre sur quelques plateformes.',
    'Les frais baissent pour la troisième semaine de suite.',
    'Les détenteurs de long terme n’ont presque rien vendu.',
  ],
  closings: [
    'D’autres chiffres sont attendus avant la fin de la semaine.',
    'Cet article est fourni à titre d’information et ne constitue pas un conseil en investissement.',
  ],
  quotes: [
    'Grande journée pour le marché. Je surveille les carnets d’ordres de près.',
    'Les données parlent d’elles-mêmes. Voici ce qui a changé.',
    'La patience vaut mieux que la prévision. Chiffres à l’appui.',
  ],
  caption: 'Volume quotidien par plateforme',
  source: 'Lire la source',
};

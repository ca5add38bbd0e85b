import type { NewsTexts } from './texts.ts';

export const es: NewsTexts = {
  titles: {
    1: [
      '{name} se mueve un {pct} y el volumen alcanza {usd}',
      'El interés abierto de {symbol} sube a {usd} en {exchange}',
      'Los tenedores de {name} esperan el próximo dato macroeconómico',
    ],
    2: [
      'Investigación: qué impulsa la oferta de {name}',
      'Informe semanal on-chain: transferencias de {symbol} por {usd}',
      '¿Qué liquidez tiene {name}? Los libros de órdenes de {exchange}',
    ],
    3: [
      '{firm} suma {usd} en {name} a su cartera',
      '{firm} aumenta un {pct} su exposición a {symbol}',
      'Las mesas institucionales de {exchange} ven demanda de {name}',
    ],
    4: [
      'Opinión: por qué sigo atento a {name}',
      'Paciencia con {symbol} tras un movimiento del {pct}',
      'Tres preguntas que {name} debe responder este año',
    ],
    7: [
      '{exchange} lista nuevos pares de {symbol}',
      'La Fundación {name} anuncia una actualización de la red',
      '{exchange} pausará los retiros de {symbol} por mantenimiento',
    ],
    13: [
      'Las acciones de {stock} se mueven un {pct} tras la compra de {name}',
      '{stock} declara {usd} en {symbol} en su balance',
      'Los analistas revisan {stock} mientras {name} cambia de rumbo',
    ],
  },
  generalTitles: [
    'El mercado de activos digitales negocia {usd} en un día',
    'Los reguladores publican una nueva consulta sobre custodia',
    'Las transferencias de stablecoins superan {usd} esta semana',
  ],
  leads: [
    '{name} ({symbol}) varió un {pct} en 24 horas, con {usd} negociados en las principales plataformas.',
    'Los operadores de {exchange} siguieron pendientes de {name} con diferenciales estrechos.',
    '{firm} comunicó a sus clientes que su opinión sobre {symbol} no ha cambiado.',
  ],
  generalLeads: [
    'El mercado en su conjunto se movió un {pct} y el volumen fue de {usd}.',
    'Las mesas de {exchange} describieron la sesión como tranquila y ordenada.',
  ],
  bodies: [
    'El volumen fue mayor durante la tarde europea y disminuyó hacia el cierre.',
    'Los datos de derivados muestran que la mayoría de las posiciones se abrió con poco apalancamiento.',
    'La actividad en la cadena se mantuvo cerca del promedio del último mes.',
    'Los creadores de mercado dicen que la profundidad se ha recuperado desde el inicio del trimestre.',
  ],
  headings: ['Qué ocurrió', 'Por qué es importante', 'Qué viene después'],
  points: [
    'La liquidez se concentra en pocas plataformas.',
    'Las comisiones bajan por tercera semana consecutiva.',
    'Los inversores de largo plazo apenas han vendido.',
  ],
  closings: [
    'Se esperan más cifras antes de que termine la semana.',
    'Este artículo es solo informativo y no constituye asesoramiento de inversión.',
  ],
  quotes: [
    'Gran día para el mercado. Sigo de cerca los libros de órdenes.',
    'Los datos hablan por sí solos. Hilo sobre lo que cambió.',
    'La paciencia gana a la predicción. Adjunto las cifras.',
  ],
  caption: 'Volumen diario por plataforma',
  source: 'Leer la fuente',
};

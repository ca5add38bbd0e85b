import type { NewsTexts } from './texts.ts';

export const pt: NewsTexts = {
  titles: {
    1: [
      '{name} oscila {pct} e o volume chega a {usd}',
      'Contratos em aberto de {symbol} sobem para {usd} na {exchange}',
      'Detentores de {name} aguardam o próximo dado macroeconômico',
    ],
    2: [
      'Pesquisa: o que move a oferta de {name}',
      'Relatório semanal on-chain: transferências de {symbol} somam {usd}',
      'Qual é a liquidez de {name}? Um olhar sobre os livros da {exchange}',
    ],
    3: [
      '{firm} acrescenta {usd} em {name} à sua carteira',
      '{firm} eleva em {pct} a exposição a {symbol}',
      'Mesas institucionais da {exchange} veem procura por {name}',
    ],
    4: [
      'Opinião: por que continuo de olho em {name}',
      'É preciso paciência com {symbol} após a oscilação de {pct}',
      'Três perguntas que {name} precisa responder este ano',
    ],
    7: [
      '{exchange} lista novos pares de {symbol}',
      'Fundação {name} anuncia uma atualização da rede',
      '{exchange} vai suspender saques de {symbol} para manutenção',
    ],
    13: [
      'Ações da {stock} oscilam {pct} após a compra de {name}',
      '{stock} informa {usd} em {symbol} no balanço',
      'Analistas reavaliam {stock} enquanto {name} muda de direção',
    ],
  },
  generalTitles: [
    'Mercado de ativos digitais negocia {usd} em um dia',
    'Reguladores publicam nova consulta sobre custódia',
    'Transferências de stablecoins passam de {usd} nesta semana',
  ],
  leads: [
    '{name} ({symbol}) variou {pct} em 24 horas, com {usd} negociados nas maiores plataformas.',
    'Os operadores da {exchange} mantiveram {name} em foco, e os spreads seguiram estreitos.',
    'A {firm} disse aos clientes que sua visão sobre {symbol} não mudou.',
  ],
  generalLeads: [
    'O mercado como um todo oscilou {pct}, e o volume foi de {usd}.',
    'As mesas da {exchange} descreveram a sessão como calma e ordenada.',
  ],
  bodies: [
    'Os volumes foram maiores na tarde europeia e diminuíram perto do fechamento.',
    'Dados de derivativos mostram que a maioria das posições foi aberta com pouca alavancagem.',
    'A atividade on-chain ficou próxima da média do último mês.',
    'Formadores de mercado dizem que a profundidade se recuperou desde o início do trimestre.',
  ],
  headings: ['O que aconteceu', 'Por que isso importa', 'O que vem a seguir'],
  points: [
    'A liquidez está concentrada em poucas plataformas.',
    'As taxas caíram pela terceira semana seguida.',
    'Investidores de longo prazo quase não venderam.',
  ],
  closings: [
    'Mais números são esperados até o fim da semana.',
    'Este artigo é apenas informativo e não é recomendação de investimento.',
  ],
  quotes: [
    'Grande dia para o mercado. Acompanhando os livros de perto.',
    'Os dados não mentem. Segue o fio com o que mudou.',
    'Paciência vale mais que previsão. Números em anexo.',
  ],
  caption: 'Volume diário por plataforma',
  source: 'Ler a fonte',
};

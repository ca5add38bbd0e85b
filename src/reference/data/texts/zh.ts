import type { NewsTexts } from './texts.ts';

export const zh: NewsTexts = {
  titles: {
    1: [
      '{name} 波动 {pct}，成交额达到 {usd}',
      '{exchange} 上 {symbol} 未平仓合约升至 {usd}',
      '{name} 持有者等待下一次宏观数据发布',
    ],
    2: [
      '研究：是什么在推动 {name} 的供应变化',
      '链上周报：{symbol} 转账总额为 {usd}',
      '{name} 的流动性如何？{exchange} 订单簿观察',
    ],
    3: [
      '{firm} 增持价值 {usd} 的 {name}',
      '{firm} 将 {symbol} 敞口提高 {pct}',
      '{exchange} 机构柜台看到对 {name} 的需求',
    ],
    4: [
      '观点：我为何继续关注 {name}',
      '波动 {pct} 之后，对 {symbol} 应保持耐心',
      '{name} 今年必须回答的三个问题',
    ],
    7: [
      '{exchange} 上线新的 {symbol} 交易对',
      '{name} 基金会宣布网络升级',
      '{exchange} 将因维护暂停 {symbol} 提币',
    ],
    13: [
      '买入 {name} 后，{stock} 股价变动 {pct}',
      '{stock} 披露资产负债表持有 {usd} 的 {symbol}',
      '{name} 转向之际，分析师重新评估 {stock}',
    ],
  },
  generalTitles: [
    '数字资产市场单日成交 {usd}',
    '监管机构就托管业务发布新的咨询文件',
    '本周稳定币转账总额超过 {usd}',
  ],
  leads: [
    '{name}（{symbol}）在 24 小时内变动 {pct}，主要交易平台成交额为 {usd}。',
    '{exchange} 的交易者继续关注 {name}，买卖价差保持在较窄水平。',
    '{firm} 对客户表示，其对 {symbol} 的看法没有改变。',
  ],
  generalLeads: ['整体市场变动 {pct}，成交额为 {usd}。', '{exchange} 的交易台称当日行情平稳有序。'],
  bodies: [
    '欧洲下午时段成交量最高，随后逐渐回落。',
    '衍生品数据显示，大多数仓位并未使用高杠杆。',
    '链上活动接近过去一个月的平均水平。',
    '做市商表示，市场深度自本季度初以来已经恢复。',
  ],
  headings: ['发生了什么', '为什么重要', '接下来看什么'],
  points: ['流动性集中在少数平台。', '手续费连续第三周下降。', '长期持有者几乎没有卖出。'],
  closings: ['预计本周结束前还会公布更多数据。', '本文仅供参考，不构成投资建议。'],
  quotes: [
    '今天市场很热闹，正在密切观察订单簿。',
    '数据会说话，下面是变化的要点。',
    '耐心胜过预测，附上数字。',
  ],
  caption: '各平台日成交额',
  source: '阅读原文',
};

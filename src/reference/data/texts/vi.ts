import type { NewsTexts } from './texts.ts';

export const vi: NewsTexts = {
  titles: {
    1: [
      '{name} biến động {pct} khi khối lượng giao dịch đạt {usd}',
      'Hợp đồng mở của {symbol} tăng lên {usd} trên {exchange}',
      'Người nắm giữ {name} chờ đợi dữ liệu vĩ mô tiếp theo',
    ],
    2: [
      'Nghiên cứu: điều gì thúc đẩy nguồn cung của {name}',
      'Báo cáo on-chain hằng tuần: {symbol} được chuyển trị giá {usd}',
      'Thanh khoản của {name} ra sao? Nhìn vào sổ lệnh trên {exchange}',
    ],
    3: [
      '{firm} mua thêm {name} trị giá {usd}',
      '{firm} nâng tỷ trọng {symbol} thêm {pct}',
      'Bộ phận tổ chức trên {exchange} ghi nhận nhu cầu đối với {name}',
    ],
    4: [
      'Góc nhìn: vì sao tôi vẫn theo dõi {name}',
      'Cần kiên nhẫn với {symbol} sau biến động {pct}',
      'Ba câu hỏi mà {name} phải trả lời trong năm nay',
    ],
    7: [
      '{exchange} niêm yết các cặp giao dịch {symbol} mới',
      'Quỹ {name} công bố nâng cấp mạng lưới',
      '{exchange} sẽ tạm dừng rút {symbol} để bảo trì',
    ],
    13: [
      'Cổ phiếu {stock} biến động {pct} sau khi mua {name}',
      '{stock} công bố nắm giữ {usd} bằng {symbol} trên bảng cân đối',
      'Giới phân tích xem xét lại {stock} khi {name} đổi hướng',
    ],
  },
  generalTitles: [
    'Thị trường tài sản số giao dịch {usd} trong một ngày',
    'Cơ quan quản lý công bố tài liệu tham vấn mới về lưu ký',
    'Lượng chuyển stablecoin vượt {usd} trong tuần này',
  ],
  leads: [
    '{name} ({symbol}) thay đổi {pct} trong 24 giờ, với {usd} được giao dịch trên các sàn lớn.',
    'Nhà giao dịch trên {exchange} tiếp tục chú ý đến {name} trong khi chênh lệch giá vẫn hẹp.',
    '{firm} cho khách hàng biết quan điểm về {symbol} không thay đổi.',
  ],
  generalLeads: [
    'Toàn thị trường biến động {pct} và giá trị giao dịch đạt {usd}.',
    'Các bàn giao dịch trên {exchange} mô tả phiên này là yên ắng và trật tự.',
  ],
  bodies: [
    'Khối lượng cao nhất vào buổi chiều châu Âu rồi giảm dần về cuối phiên.',
    'Dữ liệu phái sinh cho thấy phần lớn vị thế được mở với đòn bẩy thấp.',
    'Hoạt động on-chain gần với mức trung bình của tháng qua.',
    'Các nhà tạo lập thị trường nói rằng độ sâu đã phục hồi từ đầu quý.',
  ],
  headings: ['Chuyện gì đã xảy ra', 'Vì sao điều này quan trọng', 'Điều gì tiếp theo'],
  points: [
    'Thanh khoản tập trung ở một vài sàn.',
    'Phí giảm tuần thứ ba liên tiếp.',
    'Người nắm giữ dài hạn hầu như không bán.',
  ],
  closings: [
    'Dự kiến sẽ có thêm số liệu trước cuối tuần.',
    'Bài viết chỉ mang tính thông tin, không phải lời khuyên đầu tư.',
  ],
  quotes: [
    'Một ngày lớn của thị trường. Tôi đang theo dõi sát sổ lệnh.',
    'Dữ liệu tự lên tiếng. Dưới đây là những gì đã thay đổi.',
    'Kiên nhẫn hơn là dự đoán. Số liệu đính kèm.',
  ],
  caption: 'Giá trị giao dịch hằng ngày theo sàn',
  source: 'Đọc bài gốc',
};

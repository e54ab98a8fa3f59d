/*
 * Chinese words of the lint. To add one, put it into the group of its meaning; it may
 * have six characters at most and be in several groups. Text is cut at the longest
 * word known here. If a word is found by mistake inside longer ones, add those
 * without a class (the last group). Then add sentences to tests/lint/, as for English.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

static const struct lint_group groups[] = {
        {LINT_NUMBER, "零 〇 一 二 两 三 四 五 六 七 八 九 十 百 千 万 亿 半"},
        {LINT_TIME, "秒 毫秒 微秒 纳秒 皮秒 秒钟 分钟 小时"},
        {LINT_CYCLE, "周期 时钟周期 时钟 拍"},
        {LINT_RATE, "赫兹 千赫 兆赫 吉赫 赫"},
        {LINT_POWER, "瓦 瓦特 千瓦 毫瓦 焦耳 焦 皮焦 纳焦 微焦 毫焦 千焦 皮焦耳 纳焦耳 度电"},
        {LINT_SIZE, "字节 比特 线程 线程块 线程束 寄存器 元素 行 列 扇区 块 分块 瓦片 大小 尺寸 "
                    "权重 参数 词元 层 指令 加载 存储 访问 请求 迭代 级 阶段 存储体 缓存 数据 "
                    "数据量 工作量 操作 运算量 计算量 核心 多处理器 长度 宽度 高度 深度 矩阵 向量 "
                    "批次 批大小 代码 进程 内核 启动 样本 位 容量 空间 显存占用 内存占用 显存 内存 "
                    "个数 数量 规模 精度 循环 次 段 篇 章 个 张 块卡 卡 条 份 倍数 步长 体积 面积"},
        {LINT_PER, "每 每个 每一"},
        {LINT_MOMENT, "秒 毫秒 微秒 纳秒 周期 时钟周期 时钟 拍 分钟 小时 秒钟"},
        {LINT_TIMES, "倍"},
        {LINT_PERCENT, "百分之"},
        {LINT_POINTS, "百分点 个百分点"},
        {LINT_PERF, "性能 带宽 吞吐 吞吐量 速度 时间 耗时 用时 运行时间 延迟 时延 峰值 算力 效率 "
                    "利用率 占用率 命中率 频率 功耗 能耗 开销 代价 成本 速率 帧率 屋顶 理论峰值 "
                    "峰值带宽 理论带宽 加速比 提速 基线 数据手册 标称 流量 能效 时长 速度比"},
        {LINT_RESOURCE, "带宽 内存带宽 显存带宽 显存 内存 总线 链路 算力 张量核心 流水线 吞吐 "
                        "计算单元 单元 内存系统 存储系统 网络 磁盘 互联 通道 访存 核心 多处理器 "
                        "缓存 端口 接口"},
        {LINT_PEAK, "峰值 理论峰值 峰值带宽 理论带宽 屋顶 屋顶线 上限 天花板 极限 理论值 硬件极限 "
                    "理论上限 满带宽 满速 光速 线速 标称值 峰值算力 峰值性能"},
        {LINT_RATIO, "速度之比 带宽比 加速比 命中率 利用率 占用率 效率 提速 速度比 能效比"},
        {LINT_FASTER, "最快 最慢 快于 慢于 胜过 击败 输给 快 慢 更快 更慢 加速 提速 提升 提高 下降 "
                      "降低 减少 缩短 提高了 增益 收益 "
                      "损失 变快 变慢 改善 优化 快了 慢了 高 低 高出 低于 高于 优于 落后 领先 "
                      "浪费 空闲 闲置 停顿 节省 损耗 拖慢 增长 便宜 贵 倒退 退化 提升了 加快"},
        {LINT_LARGER, "大 小 更大 更小 多 更多 更少 宽 窄 长 短 深"},
        {LINT_HALF, "一半 半数 分之"},
        {LINT_TWICE, "双倍"},
        {LINT_DOUBLES,
         "翻倍 翻番 翻了一番 翻一番 减半 加倍 翻了一倍 翻了两番 减了一半 腰斩 翻了倍"},
        {LINT_SATURATES, "饱和 打满 跑满 吃满 榨干 喂满 占满 用满 撑满 压满 跑到头"},
        {LINT_REACHES, "接近 达到 逼近 贴近 触及 跑到 到达 几乎达到 趋近 处于 摸到 顶到 碰到 触到 "
                       "贴着 逼平 冲到"},
        {LINT_SCALE, "放大 缩小 缩放 展开 循环展开 上采样 下采样 插值 压缩 稀疏 复制 过采样 交错 "
                     "放大到 缩放到 粗化 整数"},
        {LINT_OTHER,
         "置信 置信区间 置信度 区间 显著性 显著 概率 可能 分位 分位数 缩放 放大 缩小 "
         "宽度 高度 不透明度 透明度 读者 访客 作者 用户 学生 回答 问卷 投票 稀疏 稀疏度 "
         "稀疏率 剪枝 覆盖率 测试 注释 代码 提交 文章 误差 相对误差 容差 公差 准确率 "
         "精度 正确 确定 把握 湿度 电量 折扣 有把握 丢弃 问题 已完成 完成 翻译 静态 "
         "零 税率 税 价格 房租 进度条 手机 电池 灰度 亮度 屏幕 放大到 缩放到 缩小到"},
        {LINT_FACTOR, "因子 系数"},
        {LINT_ABOUT, "约 大约 近 将近 接近 几乎 超过 不到 至少 最多 仅 仅仅 只 只有 左右 多 余 几 "
                     "来 以上 以下 大概 差不多 足足 整整 了 出 约为"},
        {LINT_LINK, "的 是 为 了 到 在 从 用 原来 原先 之前 理论 硬件 实测 达 其 它 它的 仅 只有 "
                    "只 就 内存 显存 峰值 数据手册 标称 该 全部 总"},
        {LINT_MAGNITUDE, "数量级 个数量级"},
        {0, "成为 成立 成本 成功 成员 成果 完成 形成 构成 组成 生成 合成 分成 变成 做成 写成 现成 "
            "一般 一样 一直 统一 唯一 万一 十分 千万 倍增 整数倍 饱和运算 饱和转换 饱和加法 "
            "饱和截断 饱和减法 秒表 秒杀 时间戳 时间复杂度 高度 高级 低级 快照 快速傅里叶 大小 "
            "长度 短语 多个 小节 一半精度 半精度 单精度 双精度 半个世纪"},
};

const struct lint_group *lint_chinese(size_t *n)
{
	*n = ARRAY_LEN(groups);
	return groups;
}
